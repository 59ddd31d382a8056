//! Paths in messages.

use std::path::Path;

/// A path for a message, with `/` on every platform: relative to `directory` if it is inside it.
pub fn display_path(directory: &Path, path: &Path) -> String {
    match path.strip_prefix(directory) {
        Ok(relative) => {
            let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
            parts.join("/")
        }
        Err(_) => path.display().to_string(),
    }
}
