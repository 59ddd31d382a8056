//! The packages that a command works on, and options common to all commands.

use tdg_tests::{Project, Run};

use crate::{ended, tdg};

/// A benchmark without cases.
pub(super) const SNAPSHOT: &str = r#"{"tdg":1,"ensemble":"{name}","size":0,"seed":"0","sampler":1,"digest":"0","definition":{"features":[]}}"#;

/// Returns a workspace with two packages, each with a benchmark, and another benchmark at its root.
fn workspace() -> Project {
    let manifest = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")
    };
    let snapshot = |name: &str| format!("{}\n", SNAPSHOT.replace("{name}", name));
    let project = Project::without_lock(&[
        (
            "Cargo.toml",
            "[workspace]\nresolver = \"3\"\nmembers = [\"cart\", \"till\"]\n",
        ),
        ("cart/src/lib.rs", ""),
        ("cart/tests/a.rs", ""),
        ("cart/tests/snapshots/a__total.snap", &snapshot("total")),
        ("till/src/lib.rs", ""),
        ("till/tests/a.rs", ""),
        ("till/tests/snapshots/a__total.snap", &snapshot("total")),
        ("till/tests/snapshots/a__tax.snap", &snapshot("tax")),
    ]);
    // Nothing is built, so other projects may use the same package names.
    project.write("cart/Cargo.toml", &manifest("cart"));
    project.write("till/Cargo.toml", &manifest("till"));
    project
}

/// Returns `cargo tdg` with arguments in a directory of the project.
fn tdg_in(project: &Project, directory: &str, arguments: &[&str]) -> Run {
    Run::new(env!("CARGO_BIN_EXE_cargo-tdg"), &project.path(directory))
        .arguments(&["tdg"])
        .arguments(arguments)
}

/// Returns the listed benchmarks as files.
fn listed(run: Run) -> Vec<String> {
    let run = run.passes();
    let files = run.stdout.split_whitespace();
    let files = files.filter(|word| word.ends_with(".snap"));
    files.map(str::to_owned).collect()
}

/// Returns a workspace whose packages share a test source outside of their directories.
fn workspace_with_a_shared_source(recorded_by: &str) -> Project {
    let project = workspace();
    let target = "\n[[test]]\nname = \"shared\"\npath = \"../shared/t.rs\"\n";
    for package in ["cart", "till"] {
        let manifest = format!("{package}/Cargo.toml");
        project.write(&manifest, &(project.read(&manifest) + target));
    }
    project.write("shared/t.rs", "#[tdg::ensemble_test]\nfn shared() {}\n");
    let snapshot = SNAPSHOT.replace("{name}", "shared");
    let snapshot = snapshot.replace(",\"definition\"", &format!("{recorded_by},\"definition\""));
    project.write("shared/snapshots/t__shared.snap", &format!("{snapshot}\n"));
    project
}

#[test]
fn a_source_outside_the_packages_has_tests_of_theirs() {
    let shared = "shared/snapshots/t__shared.snap";
    let project = workspace_with_a_shared_source(",\"package\":\"till\"");
    let show = |package| listed(tdg(&project, &["show", "-p", package]));
    assert_eq!(show("cart"), [CART]);
    assert_eq!(show("till"), [shared, TAX, TILL]);
    let run = tdg(&project, &["show", "shared", "--json"]).passes();
    assert!(
        run.stdout.contains("\"source\":\"../shared/t.rs\""),
        "{run}"
    );
    let run = tdg(&project, &["rename", "till::total", "shared"]).fails();
    assert!(
        run.stderr.contains("shared already has a benchmark"),
        "{run}"
    );

    // An earlier version didn't record the package.
    let project = workspace_with_a_shared_source("");
    let show = |package| listed(tdg(&project, &["show", "-p", package]));
    assert_eq!(show("cart"), [shared, CART]);
    assert_eq!(show("till"), [shared, TAX, TILL]);
}

const CART: &str = "cart/tests/snapshots/a__total.snap";
const TAX: &str = "till/tests/snapshots/a__tax.snap";
const TILL: &str = "till/tests/snapshots/a__total.snap";

#[test]
fn the_package_of_the_current_directory_is_the_default() {
    let project = workspace();
    let show = |directory, arguments: &[&str]| listed(tdg_in(&project, directory, arguments));
    assert_eq!(show("", &["show"]), [CART, TAX, TILL]);
    assert_eq!(show("cart", &["show"]), [CART]);
    assert_eq!(show("till/tests", &["show"]), [TAX, TILL]);
    assert_eq!(show("cart", &["show", "--workspace"]), [CART, TAX, TILL]);
    assert_eq!(show("cart", &["show", "-p", "till"]), [TAX, TILL]);
    assert_eq!(
        show("", &["show", "--package=cart", "-p", "till"]),
        [CART, TAX, TILL]
    );
    let manifest = project.path("till/Cargo.toml").display().to_string();
    assert_eq!(
        show("cart", &["show", "--manifest-path", &manifest]),
        [TAX, TILL]
    );
    assert_eq!(
        show("cart", &["--manifest-path", "../till/Cargo.toml", "show"]),
        [TAX, TILL]
    );
}

#[test]
fn a_name_is_looked_up_in_all_packages_unless_some_are_chosen() {
    let project = workspace();
    let show = |directory, arguments: &[&str]| {
        ended(&project, &tdg_in(&project, directory, arguments).finish())
    };
    insta::assert_snapshot!([
        show("cart", &["show", "tax", "--json"]),
        show("", &["show", "total"]),
        show("", &["show", "total", "-p", "cart", "--json"]),
        show("", &["show", "tax", "-p", "cart"]),
        show("", &["show", "-p", "card"]),
        show("", &["show", "-p", "cart", "--workspace"]),
    ].join("\n"), @r#"
    {"ensemble":{"definition":{"features":[]},"digest":"0","sampler_version":1,"seed":"0","size":0},"package":"till","pending":false,"snapshot":"till/tests/snapshots/a__tax.snap","source":"tests/a.rs","test":"tax"}
    (0)
    error: `total` is ambiguous; add the package, or name the snapshot file:
      cart::total  cart/tests/snapshots/a__total.snap
      till::total  till/tests/snapshots/a__total.snap
    (2)
    {"ensemble":{"definition":{"features":[]},"digest":"0","sampler_version":1,"seed":"0","size":0},"package":"cart","pending":false,"snapshot":"cart/tests/snapshots/a__total.snap","source":"tests/a.rs","test":"total"}
    (0)
    error: no test `tax` has a benchmark; `cargo tdg show` lists all that do
    (2)
    error: no package `card` in this workspace; did you mean `cart`?
    (2)
    error: the argument '--package <PACKAGE>' cannot be used with '--workspace'

    Usage: cargo tdg show --package <PACKAGE> [NAME]

    For more information, try '--help'.
    (2)
    "#);
}

#[test]
fn colours_are_used_where_they_are_asked_for() {
    let project = workspace();
    let has_colours = |arguments: &[&str]| {
        let run = tdg(&project, arguments).passes();
        run.stdout.contains("\u{1b}[")
    };
    assert!(!has_colours(&["show"]));
    assert!(has_colours(&["show", "--color", "always"]));
    assert!(has_colours(&["--color=always", "show"]));
    assert!(!has_colours(&["show", "--color=never"]));
    let run = tdg(&project, &["show", "--color=never"]).env("CLICOLOR_FORCE", "1");
    assert!(!run.passes().stdout.contains("\u{1b}["));
}

#[test]
fn a_quiet_command_confirms_nothing() {
    let shop = crate::changed_shop();
    assert_eq!(tdg(&shop, &["accept", "total", "-q"]).passes().stdout, "");
    let run = tdg(&shop, &["--quiet", "rename", "total", "before::sum"]).passes();
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    let run = tdg(&shop, &["-q", "show", "total"]).finish();
    assert_ne!(run.stderr, "");
}
