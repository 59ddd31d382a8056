//! The test that a snapshot file belongs to.

use std::fs;
use std::path::Path;

use tdg_definition::json::{self, Value};
use tdg_engine::TestId;
use tdg_engine::config::source_path;
use tdg_report::owner::Owner;

use crate::workspace::Package;

/// Returns the test that owns a snapshot file or its pending file; `None` if another tool wrote it.
///
/// The file may be damaged; its readers report that.
pub(super) fn test_id(package: &Package, benchmark: &Path, pending: &Path) -> Option<TestId> {
    let line = ensemble_line(benchmark).or_else(|| ensemble_line(pending))?;
    let ensemble = json::parse(&line).ok();
    let name = ensemble.as_ref().and_then(|line| line.get("ensemble"));
    let owner = Owner::find(benchmark, &package.directory, name.and_then(Value::as_str))?;
    Some(TestId {
        package: package.name.clone(),
        source: source_path(&package.directory, &owner.source),
        name: owner.name,
    })
}

/// Returns the ensemble's line, which may be damaged.
fn ensemble_line(snapshot: &Path) -> Option<String> {
    let text = fs::read(snapshot).ok()?;
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().find(|line| line.starts_with(r#"{"tdg":"#))?;
    Some(line.to_owned())
}
