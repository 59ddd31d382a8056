//! The test that a snapshot file belongs to.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use tdg_definition::json::{self, Value};
use tdg_engine::TestId;
use tdg_engine::config::display_path;

use crate::workspace::Package;

/// The test that a snapshot file, or the pending file beside it, belongs to; `None` if another tool
/// wrote it.
///
/// The file may be damaged: its readers report that.
pub(super) fn of(package: &Package, benchmark: &Path, pending: &Path) -> Option<TestId> {
    let name = name_in(benchmark).or_else(|| name_in(pending))?;
    let source = source_of(benchmark)?;
    Some(TestId {
        package: package.name.clone(),
        source: display_path(&package.directory, &source),
        name,
    })
}

/// The test's name from the line about the ensemble, or from the file's name if the line is
/// damaged.
fn name_in(snapshot: &Path) -> Option<String> {
    let text = fs::read(snapshot).ok()?;
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().find(|line| line.starts_with(r#"{"tdg":"#))?;
    let ensemble = json::parse(line).ok();
    let name = ensemble.as_ref().and_then(|line| line.get("ensemble"));
    match name.and_then(Value::as_str) {
        Some(name) => Some(name.to_owned()),
        None => Some(stem(snapshot).replace("__", "::")),
    }
}

/// `pricing__total` for `pricing__total.snap.new`.
fn stem(snapshot: &Path) -> String {
    let name = snapshot
        .file_name()
        .and_then(OsStr::to_str)
        .unwrap_or_default();
    name.split(".snap").next().unwrap_or(name).to_owned()
}

/// The source file: in the directory above, with the longest name that the snapshot's begins with.
fn source_of(snapshot: &Path) -> Option<std::path::PathBuf> {
    let folder = snapshot.parent()?.parent()?;
    let stem = stem(snapshot);
    let sources = fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path());
    let rust = sources.filter(|path| path.extension().is_some_and(|it| it == "rs"));
    let matching = rust.filter(|path| {
        let source = path.file_stem().unwrap_or_default().to_string_lossy();
        stem.strip_prefix(&*source)
            .is_some_and(|rest| rest.starts_with("__"))
    });
    // The source may have been deleted.
    let gone = || {
        folder
            .join(stem.split("__").next().unwrap_or(&stem))
            .with_extension("rs")
    };
    Some(
        matching
            .max_by_key(|path| path.as_os_str().len())
            .unwrap_or_else(gone),
    )
}
