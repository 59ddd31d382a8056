//! Snapshot files that no test claims any more.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::TestRun;
use crate::record::Records;
use crate::workspace::Workspace;

/// What may be said to cargo without leaving a test out.
const LEAVE_NOTHING_OUT: [&str; 12] = [
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

/// The snapshot files that no test of a run claimed; nothing if the run left tests out, so that it
/// can't tell.
pub(crate) fn unclaimed(
    workspace: &Workspace,
    records: &Records,
    runs: &[TestRun],
    arguments: &[OsString],
    started_in: &Path,
) -> Vec<PathBuf> {
    let is_full = arguments
        .iter()
        .all(|it| LEAVE_NOTHING_OUT.iter().any(|known| it == known));
    if !is_full || runs.is_empty() {
        return Vec::new();
    }
    let is_all = arguments
        .iter()
        .any(|it| it == "--workspace" || it == "--all");
    let tested: BTreeSet<&str> = match is_all {
        true => workspace
            .packages
            .iter()
            .map(|package| package.name.as_str())
            .collect(),
        false => workspace.tested_from(started_in),
    };
    let claimed: BTreeSet<&Path> = runs
        .iter()
        .filter_map(|run| run.snapshot.as_deref())
        .collect();
    let own = records
        .iter()
        .filter(|record| tested.contains(record.test.package.as_str()));
    let files = own.filter_map(|record| record.file());
    files
        .filter(|file| !claimed.contains(file))
        .map(Path::to_owned)
        .collect()
}
