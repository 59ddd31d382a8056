//! The snapshot files and sources of a package.

use std::fs;
use std::path::{Path, PathBuf};

use tdg_definition::sort;

/// Returns the snapshot files in a package's directory, including ones that are only pending.
pub fn snapshot_files(package: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    visit(package, &mut |file| {
        let folder = file.parent().and_then(Path::file_name);
        let name = file.file_name().and_then(|name| name.to_str());
        let (Some(folder), Some(name)) = (folder, name) else {
            return;
        };
        let name = name.strip_suffix(".new").unwrap_or(name);
        if folder == "snapshots" && name.ends_with(".snap") {
            files.push(file.with_file_name(name));
        }
    });
    sort::distinct(files)
}

/// Returns the Rust sources in a package's directory.
pub(crate) fn sources(package: &Path) -> Vec<PathBuf> {
    let mut sources = Vec::new();
    visit(package, &mut |file| {
        if file.extension().is_some_and(|extension| extension == "rs") {
            sources.push(file);
        }
    });
    sort::by(&mut sources, Ord::cmp);
    sources
}

/// Returns true if a directory contains a package with this name.
pub fn has_package(root: &Path, name: &str) -> bool {
    let is_name = |line: &str| {
        let value = line.trim_start().strip_prefix("name").map(str::trim_start);
        let value = value.and_then(|value| value.strip_prefix('='));
        value.is_some_and(|value| value.trim().trim_matches(['"', '\'']) == name)
    };
    packages(root).iter().any(|package| {
        let manifest = fs::read_to_string(package.join("Cargo.toml"));
        manifest.is_ok_and(|manifest| manifest.lines().any(is_name))
    })
}

/// Returns the packages in a directory, including the directory itself.
pub(super) fn packages(root: &Path) -> Vec<PathBuf> {
    let mut packages = Vec::new();
    let mut left = vec![root.to_owned()];
    while let Some(directory) = left.pop() {
        let entries = fs::read_dir(&directory).into_iter().flatten().flatten();
        let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        let folders = entries.filter(is_folder).map(|entry| entry.path());
        left.extend(folders.filter(|folder| !is_foreign(folder)));
        if is_package(&directory) {
            packages.push(directory);
        }
    }
    sort::by(&mut packages, Ord::cmp);
    packages
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

/// Returns true if the directory is another package, build output, or hidden.
fn is_skipped(directory: &Path) -> bool {
    is_foreign(directory) || is_package(directory)
}

fn is_package(directory: &Path) -> bool {
    directory.join("Cargo.toml").is_file()
}

fn is_foreign(directory: &Path) -> bool {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || name == "node_modules" || directory.join("CACHEDIR.TAG").is_file()
}
