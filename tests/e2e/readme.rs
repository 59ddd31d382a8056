//! What README.md shows is what happens.

use tdg_tests::{Project, workspace};

const WORKSPACE: &str = r#"[workspace]
resolver = "3"
members = ["examples/quickstart"]

[workspace.package]
edition = "2024"
rust-version = "1.88"
license = "MIT OR Apache-2.0"

[workspace.dependencies]
tdg = { path = "{tdg}" }

[workspace.lints]

[profile.dev]
debug = 0
"#;

const QUICKSTART: [&str; 5] = [
    "Cargo.toml",
    "definitions/savings.json",
    "src/lib.rs",
    "tests/savings.rs",
    "tests/snapshots/savings__balance.snap",
];

fn repository(path: &str) -> String {
    std::fs::read_to_string(workspace().join(path)).unwrap()
}

#[test]
fn the_report_in_the_readme_is_the_one_that_a_stranger_gets() {
    let readme = repository("README.md");
    let files = QUICKSTART.map(|file| format!("examples/quickstart/{file}"));
    let texts = files.each_ref().map(|file| repository(file));
    let mut all = vec![("Cargo.toml", WORKSPACE)];
    all.extend(
        files
            .iter()
            .zip(&texts)
            .map(|(file, text)| (file.as_str(), text.as_str())),
    );
    let project = Project::new(&all);
    let test = || project.cargo(&["test", "-p", "quickstart"]);

    test().passes();
    assert!(readme.contains("Make `day <= 15` a `day < 15`"));
    project.edit("examples/quickstart/src/lib.rs", "day <= 15", "day < 15");
    let failed = test().fails();

    let report = failed.report();
    assert!(
        readme.contains(report.trim_end()),
        "README.md doesn't show this:\n{report}"
    );

    let page = repository("docs/explanation/explanations.md");
    let example = page.split("```text\n").nth(1).unwrap();
    let example = example.split("```").next().unwrap().trim_end();
    assert!(
        report.starts_with(example),
        "docs/explanation/explanations.md shows another beginning than this:\n{report}"
    );

    project.remove("examples/quickstart/tests/snapshots");
    let recorded = test().passes();
    let line = recorded.said().lines().next().unwrap().to_owned();
    assert!(
        readme.contains(&line),
        "README.md doesn't show this: {line}"
    );
}
