//! Paths in messages, and in the names of tests.

use std::path::{Component, Path, PathBuf};

/// Returns a path for messages, with `/`, and relative to `directory` if it is inside.
pub fn display_path(directory: &Path, path: &Path) -> String {
    let path = normal_path(path);
    match path.strip_prefix(directory) {
        Ok(relative) => {
            let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
            parts.join("/")
        }
        Err(_) => path.display().to_string(),
    }
}

/// Returns the path of a source file in test names: relative to its package's directory, with `/`,
/// such as `../shared/a.rs` for one outside. Absolute if they share no directory.
pub fn source_path(package: &Path, source: &Path) -> String {
    let source = normal_path(source);
    let around = package.ancestors().enumerate();
    let mut around = around.filter(|(_, directory)| directory.parent().is_some());
    match around.find(|(_, directory)| source.starts_with(directory)) {
        Some((up, directory)) => "../".repeat(up) + &display_path(directory, &source),
        None => display_path(package, &source),
    }
}

/// Returns the path without `.` and `a/..`.
pub fn normal_path(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        let is_in_folder = matches!(normal.components().next_back(), Some(Component::Normal(_)));
        match component {
            Component::CurDir => {}
            Component::ParentDir if is_in_folder => {
                normal.pop();
            }
            component => normal.push(component),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_named_from_its_package() {
        let path = |source: &str| source_path(Path::new("/home/shop"), Path::new(source));
        assert_eq!(path("/home/shop/src/lib.rs"), "src/lib.rs");
        assert_eq!(path("/home/shop/tests/../common/a.rs"), "common/a.rs");
        assert_eq!(path("/home/shop/../shared/a.rs"), "../shared/a.rs");
        assert_eq!(path("/home/shared/./b/a.rs"), "../shared/b/a.rs");
        assert_eq!(path("/elsewhere/a.rs"), "/elsewhere/a.rs");
    }
}
