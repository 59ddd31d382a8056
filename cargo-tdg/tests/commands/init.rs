//! `cargo tdg init`.

use tdg_tests::{Project, target_directory, workspace};

use crate::{ended, tdg};

const MANIFEST: &str = r#"[package]
name = "tdg-init-command"
version = "0.1.0"
edition = "2024"

[workspace]

[lints.rust]
warnings = "deny"

[profile.dev]
debug = 0
"#;

fn sources() -> String {
    workspace().join("tdg").display().to_string()
}

#[test]
fn a_package_gets_a_first_test_that_passes() {
    let project = Project::new(&[
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", "//! Nothing yet.\n"),
        (".gitignore", "target"),
    ]);
    let run = tdg(&project, &["init", "--path", &sources()]).finish();
    insta::assert_snapshot!(ended(&project, &run), @"
    added tdg to the dev-dependencies of tdg-init-command
    wrote definitions/orders.json
    wrote tests/ensembles.rs
    added *.snap.new to .gitignore

    Now `cargo test` records the first benchmark; the next run compares with it.
    Then put a function of your own into the test.
    (0)
    ");
    assert_eq!(project.read(".gitignore"), "target\n*.snap.new\n");

    tdg(&project, &["check", "definitions/orders.json"]).passes();
    project.cargo(&["fmt", "--check"]).passes();
    let first = project.cargo(&["test"]).passes();
    insta::assert_snapshot!(first.said(), @"
    tdg: recorded total, 200 cases, tests/snapshots/ensembles__total.snap
       Doc-tests tdg_init_command
    ");
    assert_eq!(project.cargo(&["test"]).passes().said(), "");

    // A second time it would overwrite what somebody has made of them.
    let again = tdg(&project, &["init", "--path", &sources()]).finish();
    insta::assert_snapshot!(ended(&project, &again), @"
    error: definitions/orders.json is there already, and nothing was written: move it, or go on by hand; `cargo add --dev tdg` adds tdg alone
    (2)
    ");
}

#[test]
fn in_a_workspace_the_package_is_named() {
    let member = "[package]\nname = \"{}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let one = member.replace("{}", "tdg-init-one");
    let two = member.replace("{}", "tdg-init-two");
    let project = Project::without_lock(&[
        (
            "Cargo.toml",
            "[workspace]\nresolver = \"3\"\nmembers = [\"one\", \"two\"]\n",
        ),
        ("one/Cargo.toml", &one),
        ("one/src/lib.rs", ""),
        ("two/Cargo.toml", &two),
        ("two/src/main.rs", "fn main() {}"),
    ]);
    let said = |arguments: &[&str]| ended(&project, &tdg(&project, arguments).finish());
    insta::assert_snapshot!(said(&["init"]), @"
    error: which package? Name one: cargo tdg init --package NAME
    (2)
    ");
    insta::assert_snapshot!(said(&["init", "-p", "tdg-init-tow"]), @"
    error: there is no package `tdg-init-tow` here; did you mean `tdg-init-two`?
    (2)
    ");
    let init = tdg(
        &project,
        &["init", "-p", "tdg-init-two", "--path", &sources()],
    );
    init.env("CARGO_TARGET_DIR", target_directory()).passes();
    assert!(project.has("two/tests/ensembles.rs"));
    assert!(
        project
            .read("two/Cargo.toml")
            .contains("[dev-dependencies]\ntdg = ")
    );
}
