//! Checks what `likeness` reports when strsim is updated from 0.10 to 0.11.
//!
//! It runs as on a developer's machine, but in a copy of this package. Otherwise the pending files
//! would change this checkout.

#![allow(clippy::unwrap_used)] // In helpers too: what fails there fails the test.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

const DEFINITION: &str = "definitions/names.json";
const BENCHMARK: &str = "tests/likeness/snapshots/main__likeness.snap";

#[test]
fn an_update_that_changes_results_is_caught() {
    let checkout = Checkout::new();
    let recorded = checkout.read(BENCHMARK);

    let report = checkout.test(&[("STRSIM_UPDATED", "strsim")]).unwrap_err();

    insta::assert_snapshot!(report);
    assert_eq!(checkout.read(BENCHMARK), recorded);
    assert_ne!(checkout.read(&format!("{BENCHMARK}.new")), recorded);
}

#[test]
fn an_update_that_was_accepted_passes() {
    let checkout = Checkout::new();
    let recorded = checkout.read(BENCHMARK);
    let updated = ("STRSIM_UPDATED", "strsim");

    checkout.test(&[updated, ("TDG_UPDATE", "always")]).unwrap();

    checkout.test(&[updated]).unwrap();
    assert_ne!(checkout.read(BENCHMARK), recorded);
    checkout.test(&[]).unwrap_err();
}

/// A checkout of only this package.
struct Checkout {
    package: PathBuf,
    _root: TempDir,
}

impl Checkout {
    fn new() -> Self {
        let root = TempDir::new().unwrap();
        // A test finds its files by `file!()`, which starts at the workspace root.
        let package = root
            .path()
            .join(Path::new(file!()).ancestors().nth(3).unwrap());
        for file in [DEFINITION, BENCHMARK, "tests/likeness/main.rs"] {
            let copy = package.join(file);
            fs::create_dir_all(copy.parent().unwrap()).unwrap();
            fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(file), copy).unwrap();
        }
        Self {
            package,
            _root: root,
        }
    }

    /// Runs `likeness` in the copy. If it fails, its message is returned as `Err`.
    fn test(&self, variables: &[(&str, &str)]) -> Result<(), String> {
        let mut command = Command::new(env::current_exe().unwrap());
        for (name, _) in env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if ["TDG_", "INSTA_", "NEXTEST_"]
                .iter()
                .any(|tool| name.starts_with(tool))
            {
                command.env_remove(name);
            }
        }
        let output = command
            .args(["likeness", "--exact", "--nocapture"])
            .env("CARGO_MANIFEST_DIR", &self.package)
            .env("TDG_UPDATE", "auto")
            .env("RUST_BACKTRACE", "0")
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8(output.stderr).unwrap();
        // The report comes after the line with the panic's place and before the backtrace note.
        let (_, panic) = said.split_once("panicked at ").unwrap();
        let (_, report) = panic.split_once('\n').unwrap();
        Err(report.split("\nnote: ").next().unwrap().to_owned())
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.package.join(file)).unwrap()
    }
}
