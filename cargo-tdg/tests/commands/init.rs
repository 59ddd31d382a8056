//! `cargo tdg init`.

use tdg_tests::{Project, Run, target_directory, workspace};

use crate::{TOTAL, ended, tdg};

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

/// The clone of tdg.
fn sources() -> String {
    workspace().display().to_string()
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

    Run `cargo test` to record the first benchmark; the next run compares with it.
    Then call a function of your own in the test.
    To fold snapshot files in the diffs on GitHub: cargo tdg init --gitattributes
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

    // A second time, it would overwrite the user's edits.
    let again = tdg(&project, &["init", "--path", &sources()]).finish();
    insta::assert_snapshot!(ended(&project, &again), @"
    error: definitions/orders.json already exists, so nothing was written; move it, or add tdg by hand with `cargo add --dev tdg`
    (2)
    ");
}

#[test]
fn without_tdg_in_the_registry_the_error_suggests_a_clone() {
    let manifest = MANIFEST.replace("tdg-init-command", "tdg-init-registry");
    let project = Project::new(&[
        ("Cargo.toml", &manifest),
        ("src/lib.rs", ""),
        // A registry without crates.
        ("registry/index/.keep", ""),
        (
            ".cargo/config.toml",
            "[source.crates-io]\nreplace-with = \"none\"\n\n[source.none]\ndirectory = \"registry\"\n",
        ),
    ]);
    let run = tdg(&project, &["init"]).finish();
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.starts_with("error: can't add tdg: "), "{run}");
    assert!(
        run.stderr.trim_end().ends_with(
            "if the registry does not have tdg, use a clone: `cargo tdg init --path CLONE`"
        ),
        "{run}"
    );
    assert!(!project.has("tests/ensembles.rs"));
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
    let output = |arguments: &[&str]| ended(&project, &tdg(&project, arguments).finish());
    insta::assert_snapshot!(output(&["init"]), @"
    error: choose a package: `cargo tdg init --package NAME`
    (2)
    ");
    insta::assert_snapshot!(output(&["init", "-p", "tdg-init-tow"]), @"
    error: no package `tdg-init-tow` in this workspace; did you mean `tdg-init-two`?
    (2)
    ");
    // The path may be that of the crate itself.
    let sources = workspace().join("tdg").display().to_string();
    let init = tdg(
        &project,
        &["init", "-p", "tdg-init-two", "--path", &sources],
    );
    init.env("CARGO_TARGET_DIR", target_directory()).passes();
    assert!(project.has("two/tests/ensembles.rs"));
    assert!(
        project
            .read("two/Cargo.toml")
            .contains("[dev-dependencies]\ntdg = ")
    );
    // Cleaning up after this project would remove `ensembles` of another one from the target
    // directory.
    project.remove("two/tests");
}

#[test]
fn snapshot_files_are_folded_on_github_if_asked_for() {
    let shop = crate::changed_shop();
    let init = || ended(&shop, &tdg(&shop, &["init", "--gitattributes"]).finish());
    let attribute = |file: &str| {
        let check = ["check-attr", "linguist-generated", "--", file];
        let run = Run::new("git", shop.folder()).arguments(&check).passes();
        run.stdout
            .trim_end()
            .rsplit(": ")
            .next()
            .unwrap()
            .to_owned()
    };
    Run::new("git", shop.folder())
        .arguments(&["init", "--quiet"])
        .passes();
    // Without insta, a pattern is enough.
    shop.write("Cargo.lock", "");
    insta::assert_snapshot!(init(), @"
    added **/snapshots/*.snap linguist-generated to .gitattributes
    (0)
    ");
    assert_eq!(attribute(TOTAL), "set");

    // Insta's files have names of the same form, so each of tdg's is listed.
    let other = "tests/snapshots/pricing__text.snap";
    shop.write(other, "---\nsource: tests/pricing.rs\n---\nHello\n");
    shop.pricing("invoice").passes();
    insta::assert_snapshot!(init(), @"
    added tests/snapshots/pricing__invoice.snap linguist-generated to .gitattributes
    added tests/snapshots/pricing__total.snap linguist-generated to .gitattributes
    (0)
    ");
    assert_eq!(
        (attribute(TOTAL), attribute(other)),
        ("set".to_owned(), "unspecified".to_owned())
    );
    insta::assert_snapshot!(shop.read(".gitattributes"), @"
    # Snapshot files of tdg: cargo tdg init --gitattributes
    tests/snapshots/pricing__invoice.snap linguist-generated
    tests/snapshots/pricing__total.snap linguist-generated
    ");
}
