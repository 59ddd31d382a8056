//! The snapshot files of a package.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The snapshot files in a package's directory, including those that exist only as pending files.
pub fn snapshot_files(package: &Path) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    collect(package, &mut files);
    files
}

fn collect(directory: &Path, files: &mut BTreeSet<PathBuf>) {
    let is_snapshots = directory
        .file_name()
        .is_some_and(|name| name == "snapshots");
    // A test can't have read a file in an unreadable directory.
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !is_skipped(&path) => collect(&path, files),
            Ok(kind) if kind.is_file() && is_snapshots => {
                let name = entry.file_name();
                let Some(name) = name.to_str() else { continue };
                let name = name.strip_suffix(".new").unwrap_or(name);
                if name.ends_with(".snap") {
                    files.insert(path.with_file_name(name));
                }
            }
            _ => {}
        }
    }
}

/// Whether the directory is another package, build output, or hidden.
fn is_skipped(directory: &Path) -> bool {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.')
        || name == "node_modules"
        || directory.join("Cargo.toml").is_file()
        || directory.join("CACHEDIR.TAG").is_file()
}
