//! Cargo, which runs `cargo tdg` and is run by it.

use std::env;
use std::path::Path;
use std::process::Command;

use super::manifest::manifest;

/// Cargo with a subcommand.
pub(crate) fn cargo(subcommand: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(subcommand);
    command
}

/// Cargo with a subcommand, on the manifest that is named if one is.
pub(crate) fn cargo_here(subcommand: &[&str]) -> Command {
    cargo_at(manifest(), subcommand)
}

/// Cargo with a subcommand, on a manifest or in the current directory.
pub(super) fn cargo_at(manifest: Option<&Path>, subcommand: &[&str]) -> Command {
    let mut command = cargo(subcommand);
    if let Some(path) = manifest {
        command.arg("--manifest-path").arg(path);
    }
    command
}
