//! Rust files in a folder.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the sorted Rust files in a folder and its subfolders. Unreadable folders are skipped.
pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|it| it.path()).collect();
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() && !leads_back(&path) {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|it| it == "rs") && path.is_file() {
            files.push(path);
        }
    }
    files
}

/// Returns true for a broken link, or for a link to a directory that contains it.
pub(crate) fn leads_back(path: &Path) -> bool {
    path.is_symlink()
        && path.canonicalize().map_or(true, |to| {
            let folder = path.parent().and_then(|it| it.canonicalize().ok());
            folder.is_none_or(|folder| folder.starts_with(to))
        })
}
