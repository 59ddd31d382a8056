//! `cargo metadata`.

use std::env;
use std::process::Command;

use tdg_definition::json::{self, Value};

use super::manifest::manifest;
use crate::error::{Context as _, Error, Result};

/// The output of `cargo metadata`, without dependencies: it needs no network and no lock file.
pub(super) fn read() -> Result<Value> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--no-deps", "--format-version=1"]);
    if let Some(path) = manifest() {
        command.arg("--manifest-path").arg(path);
    }
    let output = command.output().context("can't run cargo")?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        let reason = stderr.trim().trim_start_matches("error: ");
        return Err(Error::new(reason));
    }
    json::parse(&String::from_utf8_lossy(&output.stdout)).context("the output of `cargo metadata`")
}
