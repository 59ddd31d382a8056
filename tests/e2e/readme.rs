//! Checks that README.md shows the real behaviour.

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

const QUICKSTART: [&str; 4] = [
    "Cargo.toml",
    "src/lib.rs",
    "tests/savings.rs",
    "tests/snapshots/savings__balance.snap",
];

fn repository(path: &str) -> String {
    std::fs::read_to_string(workspace().join(path)).unwrap()
}

/// Returns the first code block in a language.
fn block<'p>(page: &'p str, language: &str) -> &'p str {
    let (_, block) = page.split_once(&format!("```{language}\n")).unwrap();
    block.split("```").next().unwrap()
}

/// Returns the text of an SVG.
fn shown_by(picture: &str) -> String {
    let texts = picture.split('<').filter_map(|tag| tag.split_once('>'));
    let text: Vec<&str> = texts.map(|(_, text)| text).collect();
    let text = text.join(" ");
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

#[test]
fn the_test_in_the_readme_matches_the_example() {
    let example = repository("examples/quickstart/tests/savings.rs");
    let (_, test) = example.split_once("\n\n").unwrap();
    for page in ["README.md", "docs/tutorial/deciding.md"] {
        assert_eq!(block(&repository(page), "rust"), test, "{page}");
    }
}

#[test]
fn the_report_in_the_readme_is_the_one_that_a_stranger_gets() {
    let readme = repository("README.md");
    let files = QUICKSTART.map(|file| format!("examples/quickstart/{file}"));
    let mut texts = files.each_ref().map(|file| repository(file));
    // The name must differ from the example, which is built in the same target directory.
    let other = "[lib]\nname = \"quickstart\"\n\n[package]\nname = \"of-the-readme\"";
    texts[0] = texts[0].replace("[package]\nname = \"quickstart\"", other);
    let mut all = vec![("Cargo.toml", WORKSPACE)];
    all.extend(
        files
            .iter()
            .zip(&texts)
            .map(|(file, text)| (file.as_str(), text.as_str())),
    );
    let project = Project::new(&all);
    let test = || project.cargo(&["test", "-p", "of-the-readme"]);

    test().passes();
    assert!(readme.contains("Change `day <= 15` to `day < 15`"));
    project.edit("examples/quickstart/src/lib.rs", "day <= 15", "day < 15");
    let failed = test().fails();

    let report = failed.report().replace("of-the-readme", "quickstart");
    let shown = block(&readme, "text");
    let mut rest = report.as_str();
    for part in shown.split("…\n") {
        let Some((_, after)) = rest.split_once(part) else {
            panic!("README.md shows\n{part}\nwhich is not in\n{report}");
        };
        rest = after;
    }

    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let picture = shown_by(&repository("docs/pictures/report.svg"));
    assert!(
        words(&picture).contains(&words(&report)),
        "the picture shows another report; make it anew: docs/pictures/make\n{picture}"
    );

    let page = repository("docs/explanation/explanations.md");
    let example = block(&page, "text").trim_end();
    assert!(
        report.starts_with(example),
        "docs/explanation/explanations.md shows another beginning than this:\n{report}"
    );

    project.remove("examples/quickstart/tests/snapshots");
    project.remove(".tdg");
    let recorded = test().passes();
    let line = recorded.said().lines().next().unwrap().to_owned();
    assert!(
        readme.contains(&line),
        "README.md doesn't show this: {line}"
    );
}
