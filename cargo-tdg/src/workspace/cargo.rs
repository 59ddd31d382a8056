//! Cargo, which runs `cargo tdg` and which tdg runs.

use std::env;
use std::path::Path;
use std::process::Command;

use super::manifest::manifest;

/// Returns a cargo command.
pub(crate) fn cargo(subcommand: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(subcommand);
    command
}

/// Returns a cargo command that uses `--manifest-path` if tdg got it.
pub(crate) fn cargo_here(subcommand: &[&str]) -> Command {
    cargo_at(manifest(), subcommand)
}

/// Returns a cargo command for a manifest, or for the current directory.
pub(super) fn cargo_at(manifest: Option<&Path>, subcommand: &[&str]) -> Command {
    let mut command = cargo(subcommand);
    if let Some(path) = manifest {
        command.arg("--manifest-path").arg(path);
    }
    command
}
