//! Paths in messages.

use std::path::Path;

/// A path as messages show it, with `/` on every platform: from that directory, if it is in there.
pub fn shown_from(directory: &Path, path: &Path) -> String {
    match path.strip_prefix(directory) {
        Ok(relative) => {
            let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
            parts.join("/")
        }
        Err(_) => path.display().to_string(),
    }
}
