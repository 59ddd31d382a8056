//! The recipes of docs/how-to/ci.md.

use std::fs;

use tdg_tests::{Project, Run, target_directory, workspace};

use crate::tdg;

const DEFINITION: &str = r#"{"features": [
    {"feature_name": "amount", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 9}}
]}"#;

const TEST: &str = r#"
#[tdg::ensemble_test(definition = "amounts.json")]
fn doubled(amount: i64) -> i64 {
    amount * 2
}
"#;

/// Returns the `cargo tdg` commands in the recipes, without output redirection. Quoted variables
/// are revisions.
fn commands() -> Vec<Vec<String>> {
    let page = fs::read_to_string(workspace().join("docs/how-to/ci.md")).unwrap();
    let lines = page.lines().filter_map(|line| {
        let (before, command) = line.split_once("cargo tdg ")?;
        before
            .trim_matches([' ', '-'])
            .trim_start_matches("run:")
            .trim()
            .is_empty()
            .then_some(command)
    });
    let arguments = |line: &str| {
        let command = line.split(" >> ").next().unwrap();
        let word = |word: &str| match word.starts_with('"') {
            true => "HEAD".to_owned(),
            false => word.to_owned(),
        };
        command.split(' ').map(word).collect()
    };
    // Sending runs requires a server.
    let commands = lines.filter(|line| *line != "push");
    commands.map(arguments).collect()
}

#[test]
fn every_command_works_after_a_run_that_passes_and_after_one_that_fails() {
    let project = Project::package(
        "tdg-ci-recipes",
        &[("amounts.json", DEFINITION), ("tests/amounts.rs", TEST)],
    );
    project.cargo(&["test"]).passes();
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "tests"],
        &[
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@example.org",
            "commit",
            "--quiet",
            "-m",
            "Add a test",
        ],
    ] {
        Run::new("git", project.folder())
            .arguments(arguments)
            .passes();
    }
    let commands = commands();
    assert_eq!(commands.len(), 9, "{commands:?}");
    let run_all = || {
        let ends = commands.iter().map(|arguments| {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            // Each recipe starts from a fresh checkout.
            if let Some(output) = arguments.iter().position(|it| *it == "--output") {
                project.remove(arguments[output + 1]);
            }
            let run = tdg(&project, &arguments).env("CI", "true");
            run.env("CARGO_TARGET_DIR", target_directory())
                .finish()
                .code
                .unwrap()
        });
        ends.collect::<Vec<_>>()
    };
    assert_eq!(run_all(), [0; 9]);
    project.edit("tests/amounts.rs", "amount * 2", "amount * 3");
    assert_eq!(run_all(), [1, 0, 0, 0, 1, 0, 0, 0, 0]);
    assert!(
        project
            .read("tdg-report.html")
            .contains("1 of 1 ensembles failed")
    );
    assert!(project.read("tdg-junit.xml").contains("failures=\"1\""));
    assert!(!project.has("tests/snapshots/amounts__doubled.snap.new"));
}
