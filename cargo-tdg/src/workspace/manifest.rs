//! The manifest given by `--manifest-path`. Like the current directory, it applies to the whole
//! process.

use std::env;
use std::io;
use std::path::{Component, Path, PathBuf, absolute};
use std::sync::OnceLock;

static MANIFEST: OnceLock<PathBuf> = OnceLock::new();

/// Sets the manifest to use instead of the one around the current directory.
pub(crate) fn use_manifest(path: PathBuf) {
    MANIFEST.get_or_init(|| path);
}

/// Returns the manifest from `--manifest-path`, if given.
pub(super) fn manifest() -> Option<&'static Path> {
    MANIFEST.get().map(PathBuf::as_path)
}

/// Returns the directory whose package cargo uses by default.
pub(super) fn directory() -> io::Result<PathBuf> {
    match manifest().and_then(Path::parent) {
        Some(directory) => Ok(without_dots(&absolute(directory)?)),
        None => env::current_dir(),
    }
}

/// Removes `..` from an absolute path, as cargo does: symbolic links stay.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}
