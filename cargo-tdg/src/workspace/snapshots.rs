//! The snapshot files of a package.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::Package;

/// The snapshot files of a package, whether they are there or only a change that waits beside them.
pub(crate) fn snapshot_files(package: &Package) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    collect(&package.directory, &mut files);
    files
}

fn collect(directory: &Path, files: &mut BTreeSet<PathBuf>) {
    let is_snapshots = directory
        .file_name()
        .is_some_and(|name| name == "snapshots");
    // What can't be read holds no file that a test could have read.
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !is_left_out(&path) => collect(&path, files),
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

/// Other packages, what is built, and what is hidden.
fn is_left_out(directory: &Path) -> bool {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.')
        || name == "node_modules"
        || directory.join("Cargo.toml").is_file()
        || directory.join("CACHEDIR.TAG").is_file()
}
