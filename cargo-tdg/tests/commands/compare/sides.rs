//! The two sides of a comparison: their sources, and the programs that call them.

use tdg_tests::{Finished, Project};

use crate::compare::{
    answer, commit, committed, committed_with, compare, ended_with, git, init, manifest,
};

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn each_side_is_built_on_its_own_also_where_a_library_has_no_hash() {
    let manifest = format!(
        "{}[lib]\ncrate-type = [\"cdylib\", \"rlib\"]\n",
        manifest("dynamic")
    );
    let project = committed_with(&manifest, "pub fn f(x: u32) -> bool { x > 20 }\n");
    project.edit("src/lib.rs", "x > 20", "x > 21");
    for _ in 0..2 {
        ended_with(1, compare(&project, &["main"]));
    }
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn programs_of_both_sides_have_one_path() {
    let project = committed(
        "named",
        "pub fn program() -> Option<std::path::PathBuf> { std::env::current_exe().ok() }
         pub fn called() -> Option<String> { std::env::args().next() }\n",
    );
    project.edit(
        "src/lib.rs",
        "current_exe().ok()",
        "current_exe().ok().map(|it| it)",
    );
    let run = compare(&project, &[]).passes();
    let shown = answer(&project, &run);
    assert!(shown.contains("2 functions gave the same"), "{shown}");
}

/// Returns a workspace of two packages.
fn workspace_of_two() -> Project {
    let library = "pub fn z(x: u8) -> u8 { x }\n";
    let project = Project::without_lock(&[
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"crates/*\"]\nresolver = \"2\"\n",
        ),
        ("crates/one/Cargo.toml", &manifest("one")),
        ("crates/one/src/lib.rs", library),
        ("crates/two/Cargo.toml", &manifest("two")),
        ("crates/two/src/lib.rs", library),
        (".gitignore", "target\nCargo.lock\n"),
    ]);
    init(&project);
    project
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn a_library_that_is_gone_is_a_change() {
    let project = workspace_of_two();
    project.edit("crates/two/Cargo.toml", "\"two\"", "\"second\"");
    let run = ended_with(1, compare(&project, &["--workspace"]));
    let shown = answer(&project, &run);
    let gone = "two: 0 public functions; 0 compared on 1000 rows each, 1 removed\n  z  was removed";
    assert!(shown.contains(gone), "{shown}");
}

/// Returns a clone of a project in a folder of its own.
fn cloned(project: &Project, options: &[&str]) -> Project {
    let clone = Project::without_lock(&[]);
    let url = format!("file://{}", project.folder().display());
    git(
        &clone,
        &[&["clone", "--quiet"], options, &[&url, "."]].concat(),
    );
    clone
}

fn branched() -> Project {
    let project = committed("branched", "pub fn fee(x: u32) -> bool { x > 20 }\n");
    project.write("Cargo.lock", "");
    git(&project, &["checkout", "--quiet", "-b", "feature"]);
    project.edit("src/lib.rs", "x > 20", "x >= 20");
    commit(&project);
    git(&project, &["checkout", "--quiet", "main"]);
    project
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn a_checkout_of_ci_has_a_default_branch() {
    let project = branched();
    let clone = cloned(&project, &["--branch=feature"]);
    git(&clone, &["remote", "set-head", "origin", "--delete"]);
    ended_with(1, compare(&clone, &[]));
    let options = ["--depth=1", "--no-single-branch", "--branch=feature"];
    let shallow = cloned(&project, &options);
    let run = ended_with(2, compare(&shallow, &[]));
    assert!(
        run.stderr
            .contains("have no commit in common here; this clone"),
        "{run}"
    );
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn a_revision_without_changes_is_said() {
    let project = committed("still", "pub fn fee(x: u32) -> bool { x > 20 }\n");
    project.write(".gitignore", "target\nCargo.lock\n");
    commit(&project);
    let heading = |run: Finished| run.stdout.lines().next().unwrap_or_default().to_owned();
    let run = compare(&project, &[]).passes();
    assert_eq!(
        run.stderr,
        "note: both sides are the same, so nothing was built\n"
    );
    assert!(!project.folder().join("target/tdg/compare/now").exists());
    let still = heading(run);
    assert!(still.ends_with("): nothing has changed since"), "{still}");
    project.edit("src/lib.rs", "x > 20", "20 < x");
    let changed = heading(compare(&project, &[]).passes());
    assert!(changed.ends_with(')'), "{changed}");
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn sources_outside_the_repository_and_submodules_are_of_both_sides() {
    let outer = Project::without_lock(&[
        ("outside/next/Cargo.toml", &manifest("next")),
        (
            "outside/next/src/lib.rs",
            "pub fn next(x: u32) -> u32 { x }\n",
        ),
        (
            "inner/src/lib.rs",
            "pub fn twice(x: u32) -> u32 { next::next(x) * 2 + part::part(x) }\n",
        ),
        (
            "inner/Cargo.toml",
            &format!(
                "{}[dependencies]\nnext = {{ path = \"../outside/next\" }}\npart = {{ path = \"part\" }}\n[workspace]\nmembers = [\"part\"]\n",
                manifest("inner")
            ),
        ),
        ("inner/.gitignore", "target\nCargo.lock\n"),
        ("part/Cargo.toml", &manifest("part")),
        ("part/src/lib.rs", "pub fn part(x: u32) -> u32 { x / 3 }\n"),
    ]);
    let at = |folder: &str, arguments: &[&str]| {
        git(
            &outer,
            &[
                &["-C", folder, "-c", "protocol.file.allow=always"],
                arguments,
            ]
            .concat(),
        )
    };
    for folder in ["part", "inner"] {
        at(folder, &["init", "--quiet", "--initial-branch=main"]);
        at(folder, &["add", "--all"]);
        at(folder, &["commit", "--quiet", "--message=A"]);
    }
    at("inner", &["submodule", "--quiet", "add", "../part", "part"]);
    at("inner", &["commit", "--quiet", "--all", "--message=B"]);
    outer.edit("inner/src/lib.rs", "* 2", "* 3");
    let manifest = ["--manifest-path", "inner/Cargo.toml"];
    let run = ended_with(1, compare(&outer, &manifest));
    assert!(run.stdout.contains("\n  twice  "), "{run}");
}
