//! The tools that these tests drive, or how to install them. `tests/needs` recognises a test that
//! fails for want of a program by a message that begins with `not run`.

use std::env;
use std::path::PathBuf;

use crate::{Project, Run, workspace};

/// `cargo nextest` in a project.
///
/// # Panics
/// It is not installed; the message says how to.
pub fn nextest(project: &Project, arguments: &[&str]) -> Run {
    tool(project, "nextest").arguments(arguments)
}

/// `cargo insta` in a project.
///
/// # Panics
/// It is not installed; the message says how to.
pub fn insta(project: &Project, arguments: &[&str]) -> Run {
    tool(project, "insta").arguments(arguments)
}

/// `cargo mutants` in a project.
///
/// # Panics
/// It is not installed; the message says how to.
pub fn mutants(project: &Project, arguments: &[&str]) -> Run {
    tool(project, "mutants").arguments(arguments)
}

/// A subcommand of cargo: installed for everybody, or in this workspace alone.
fn tool(project: &Project, name: &str) -> Run {
    let in_workspace = workspace().join("target/tools/bin");
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).chain([in_workspace]).collect();
    let program = format!("cargo-{name}{}", env::consts::EXE_SUFFIX);
    assert!(
        folders.iter().any(|folder| folder.join(&program).is_file()),
        "not run: needs cargo-{name}: run `cargo install cargo-{name} --root target/tools --locked` in the workspace"
    );
    let path = env::join_paths(folders).unwrap();
    project.cargo(&[name]).env("PATH", path)
}
