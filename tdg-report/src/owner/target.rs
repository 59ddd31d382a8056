//! The cargo target of a source file, and the file's module in it.

use std::ffi::OsStr;
use std::path::Path;

/// Returns the folder or file at the root of the target: `src`, `src/bin/x`, `tests/x`. `None` if
/// several targets may contain the source file, or if its place doesn't determine one.
pub(super) fn target_of(source: &Path, package: &Path) -> Option<String> {
    split(source, package).0
}

/// Returns true if both a library and a program may contain a target's sources.
pub(super) fn is_of_both(target: Option<&str>, package: &Path) -> bool {
    let has = |file| package.join("src").join(file).is_file();
    target == Some("src") && has("lib.rs") && has("main.rs")
}

/// Returns a source file's module path within its crate: `a::b` for `src/a/b.rs`.
pub(super) fn modules_of(source: &Path, package: &Path) -> String {
    split(source, package).1
}

fn split(source: &Path, package: &Path) -> (Option<String>, String) {
    let relative = source.strip_prefix(package).unwrap_or(source);
    let path = relative.with_extension("");
    let parts: Vec<_> = path.iter().map(OsStr::to_string_lossy).collect();
    let parts: Vec<&str> = parts.iter().map(|part| &**part).collect();
    let is_crate = |folder: &str| package.join(folder).join("main.rs").is_file();
    let of_crate = |folder: &str, name: &str, rest: &[&str]| {
        let target = format!("{folder}/{name}");
        (rest.is_empty() || is_crate(&target)).then_some(target)
    };
    let (target, modules) = match parts.as_slice() {
        ["src", "bin", name, rest @ ..] => match of_crate("src/bin", name, rest) {
            Some(target) => (Some(target), rest),
            None => (Some("src".to_owned()), &parts[1..]),
        },
        ["src", rest @ ..] => (Some("src".to_owned()), rest),
        [folder @ ("tests" | "benches" | "examples"), name, rest @ ..] => {
            match of_crate(folder, name, rest) {
                Some(target) => (Some(target), rest),
                None => (None, &parts[1..]),
            }
        }
        _ => (None, &parts[..0]),
    };
    let modules = match modules {
        [modules @ .., "mod" | "lib" | "main"] => modules,
        modules => modules,
    };
    (target, modules.join("::"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_place_of_a_source_file_gives_its_target_and_module() {
        let package = tempfile::tempdir().unwrap();
        let package = package.path();
        for file in ["src/lib.rs", "tests/it/main.rs", "src/bin/y/main.rs"] {
            let file = package.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        for (source, target, modules) in [
            ("src/lib.rs", "src", ""),
            ("src/tax/mod.rs", "src", "tax"),
            ("src/a/b.rs", "src", "a::b"),
            ("src/bin/x.rs", "src/bin/x", ""),
            ("src/bin/y/z.rs", "src/bin/y", "z"),
            ("tests/a.rs", "tests/a", ""),
            ("tests/it/main.rs", "tests/it", ""),
            ("tests/it/tax.rs", "tests/it", "tax"),
            ("tests/common/mod.rs", "", "common"),
            ("elsewhere/a.rs", "", ""),
        ] {
            let path = package.join(source);
            let found = target_of(&path, package).unwrap_or_default();
            assert_eq!((&*found, &*modules_of(&path, package)), (target, modules));
        }
        assert!(!is_of_both(Some("src"), package));
        fs::write(package.join("src/main.rs"), "").unwrap();
        assert!(is_of_both(Some("src"), package));
        assert!(!is_of_both(Some("src/bin/x"), package));
    }
}
