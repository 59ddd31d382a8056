//! The snapshot files and the sources of a package.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The snapshot files in a package's directory, including those that exist only as pending files.
pub fn snapshot_files(package: &Path) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    visit(package, &mut |file| {
        let folder = file.parent().and_then(Path::file_name);
        let name = file.file_name().and_then(|name| name.to_str());
        let (Some(folder), Some(name)) = (folder, name) else {
            return;
        };
        let name = name.strip_suffix(".new").unwrap_or(name);
        if folder == "snapshots" && name.ends_with(".snap") {
            files.insert(file.with_file_name(name));
        }
    });
    files
}

/// The Rust sources in a package's directory.
pub(super) fn sources(package: &Path) -> BTreeSet<PathBuf> {
    let mut sources = BTreeSet::new();
    visit(package, &mut |file| {
        if file.extension().is_some_and(|extension| extension == "rs") {
            sources.insert(file);
        }
    });
    sources
}

fn visit(directory: &Path, found: &mut impl FnMut(PathBuf)) {
    // A test can't have read a file in an unreadable directory.
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !is_skipped(&path) => visit(&path, found),
            Ok(kind) if kind.is_file() => found(path),
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
