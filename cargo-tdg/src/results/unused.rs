//! Snapshot files that no test uses any more.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tdg_engine::results::TestRun;

use crate::record::Records;
use crate::workspace::Workspace;

/// Arguments for cargo that leave no test out.
const RUN_EVERYTHING: [&str; 12] = [
    "--workspace",
    "--all",
    "--all-features",
    "--all-targets",
    "--release",
    "--no-fail-fast",
    "--locked",
    "--offline",
    "--frozen",
    "--quiet",
    "-q",
    "-v",
];

/// The snapshot files that no test of a run used; none if the run may have left tests out.
pub(crate) fn unused_snapshots(
    workspace: &Workspace,
    records: &Records,
    runs: &[TestRun],
    arguments: &[OsString],
    started_in: &Path,
) -> Vec<PathBuf> {
    let is_full = arguments
        .iter()
        .all(|it| RUN_EVERYTHING.iter().any(|known| it == known));
    if !is_full || runs.is_empty() {
        return Vec::new();
    }
    let is_all = arguments
        .iter()
        .any(|it| it == "--workspace" || it == "--all");
    let tested: BTreeSet<&str> = if is_all {
        let packages = workspace.packages.iter();
        packages.map(|package| package.name.as_str()).collect()
    } else {
        workspace.tested_from(started_in)
    };
    let used: BTreeSet<&Path> = runs
        .iter()
        .filter_map(|run| run.snapshot.as_deref())
        .collect();
    let own = records
        .iter()
        .filter(|record| tested.contains(record.test.package.as_str()));
    let files = own.filter_map(|record| record.file());
    files
        .filter(|file| !used.contains(file))
        .map(Path::to_owned)
        .collect()
}
