//! The tools that these tests use. If one is missing, the message says how to install it and begins
//! with `not run`, by which `tests/needs` recognises such failures.

use std::env;
use std::path::PathBuf;

use crate::{Project, Run, workspace};

/// Returns a run of `cargo nextest` in a project.
///
/// # Panics
/// If it isn't installed. The message says how to install it.
pub fn nextest(project: &Project, arguments: &[&str]) -> Run {
    tool(project, "nextest").arguments(arguments)
}

/// Returns a run of `cargo insta` in a project.
///
/// # Panics
/// If it isn't installed. The message says how to install it.
pub fn insta(project: &Project, arguments: &[&str]) -> Run {
    tool(project, "insta").arguments(arguments)
}

/// Returns a run of `cargo mutants` in a project.
///
/// # Panics
/// If it isn't installed. The message says how to install it.
pub fn mutants(project: &Project, arguments: &[&str]) -> Run {
    tool(project, "mutants").arguments(arguments)
}

/// Returns a run of a cargo subcommand, installed globally or only in this workspace.
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
