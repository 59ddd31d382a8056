//! The source files of a folder, by their stems.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The source files of a folder, by their stems.
#[derive(Debug)]
pub(super) struct SourceFolder {
    path: PathBuf,
    by_stem: HashMap<String, PathBuf>,
}

impl SourceFolder {
    /// Returns the source folder of a snapshot file, which is the parent of the file's folder, or
    /// `None` if it has no parent.
    pub(super) fn read(file: &Path) -> Option<Self> {
        let path = file.parent()?.parent()?.to_owned();
        let mut by_stem = HashMap::new();
        for entry in fs::read_dir(&path).into_iter().flatten().flatten() {
            let file = entry.path();
            if !file.is_file() {
                continue;
            }
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            // An included file may have another extension.
            if is_rust(&file) || !by_stem.contains_key(&*stem) {
                by_stem.insert(stem.into_owned(), file);
            }
        }
        Some(Self { path, by_stem })
    }

    /// Returns true if this folder has the sources of the snapshot file.
    pub(super) fn is_of(&self, file: &Path) -> bool {
        file.parent().and_then(Path::parent) == Some(&self.path)
    }

    /// Returns the source files that can own a snapshot file with this stem: their names are
    /// prefixes of the stem. The longest come first.
    pub(super) fn sources<'s>(&'s self, stem: &'s str) -> impl Iterator<Item = &'s PathBuf> {
        let bytes = stem.as_bytes().windows(2).enumerate().rev();
        let ends = bytes.filter_map(|(end, bytes)| (bytes == b"__").then_some(end));
        ends.filter_map(|end| self.by_stem.get(&stem[..end]))
    }

    /// Returns the matching source file with the longest name, or a missing one if none matches.
    pub(super) fn source(&self, stem: &str) -> PathBuf {
        let gone = || {
            let name = stem.split("__").next().unwrap_or(stem);
            self.path.join(format!("{name}.rs"))
        };
        self.sources(stem).next().cloned().unwrap_or_else(gone)
    }
}

fn is_rust(file: &Path) -> bool {
    file.extension() == Some(OsStr::new("rs"))
}
