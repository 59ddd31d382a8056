//! The path of a test's snapshot file.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// The folder next to a source file that holds the snapshots of its tests.
const FOLDER: &str = "snapshots";

/// File systems limit a name to 255 bytes, encrypting ones to 143; `.snap.new` is appended.
const LONGEST_STEM: usize = 130;

/// Returns the snapshot file of the test `function` in the file `source` and the module
/// `module_path!()`: `snapshots/<stem>__<inner modules>__<function>.snap` next to `source`.
///
/// Inner modules are the ones that the path of the source file doesn't imply.
///
/// ```
/// use std::path::Path;
/// use tdg_engine::snapshot::snapshot_file;
///
/// assert_eq!(
///     snapshot_file(Path::new("shop/src/cart/tax.rs"), "shop::cart::tax::tests", "rounding"),
///     Path::new("shop/src/cart/snapshots/tax__tests__rounding.snap"),
/// );
/// ```
pub fn snapshot_file(source: &Path, module_path: &str, function: &str) -> PathBuf {
    let mut name = String::new();
    for segment in inner_modules(source, module_path) {
        name.push_str(segment);
        name.push_str("__");
    }
    name.push_str(without_raw_prefix(function));
    beside(source, &name)
}

/// Returns the snapshot file of a test with an explicit name in the file `source`.
///
/// ```
/// use std::path::Path;
/// use tdg_engine::snapshot::named_snapshot_file;
///
/// assert_eq!(
///     named_snapshot_file(Path::new("tests/pricing.rs"), "pricing::total (EUR)"),
///     Path::new("tests/snapshots/pricing__pricing__total__EUR_.snap"),
/// );
/// ```
pub fn named_snapshot_file(source: &Path, name: &str) -> PathBuf {
    beside(source, &name.replace("::", "__"))
}

/// Returns the file of a pending change: the snapshot file's name with `.new` appended.
///
/// ```
/// use std::path::Path;
/// use tdg_engine::snapshot::pending_file;
///
/// assert_eq!(
///     pending_file(Path::new("snapshots/pricing__total.snap")),
///     Path::new("snapshots/pricing__total.snap.new"),
/// );
/// ```
pub fn pending_file(snapshot: &Path) -> PathBuf {
    let mut path = OsString::from(snapshot);
    path.push(".new");
    path.into()
}

fn beside(source: &Path, name: &str) -> PathBuf {
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    let stem = bounded(format!("{stem}__{name}").replace(is_unsafe, "_"), name);
    source.with_file_name(FOLDER).join(stem + ".snap")
}

/// Returns true if some operating system, shell or version control forbids it in file names.
fn is_unsafe(character: char) -> bool {
    !(character.is_alphanumeric() || matches!(character, '_' | '-' | '.'))
}

/// Cuts a stem that is too long and appends a hash of the whole name, so that long names with the
/// same beginning differ.
fn bounded(mut stem: String, name: &str) -> String {
    if stem.len() > LONGEST_STEM {
        let suffix = format!("-{:08x}", fnv1a(name));
        let mut end = LONGEST_STEM - suffix.len();
        while !stem.is_char_boundary(end) {
            end -= 1;
        }
        stem.truncate(end);
        stem.push_str(&suffix);
    }
    stem
}

/// FNV-1a with 32 bits. File names must not depend on the hasher of a Rust release.
fn fnv1a(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// Returns the modules below the crate that the path of the source file doesn't imply.
fn inner_modules<'path>(source: &Path, module_path: &'path str) -> Vec<&'path str> {
    let mut segments = module_path.split("::").map(without_raw_prefix);
    let crate_name = segments.next().unwrap_or_default();
    let mut modules: Vec<&str> = segments.collect();

    let file = source.with_extension("");
    let mut folders: Vec<_> = file
        .components()
        .filter_map(|component| match component {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    let mut explained = explained_modules(&folders, &modules);
    // `a/mod.rs` is module a. `lib.rs` and `main.rs` are crate roots, or modules of that name.
    if let Some(&("mod" | "lib" | "main")) = folders.last() {
        folders.pop();
        explained = explained.max(explained_modules(&folders, &modules));
    }
    // `tests/pricing.rs` is a crate root, though it may also have a module named pricing.
    if let [.., "tests" | "benches" | "examples" | "bin", name] = folders[..]
        && name.replace('-', "_") == crate_name
        && explained == 1
    {
        explained = 0;
    }
    modules.drain(..explained);
    modules
}

/// Returns the number of leading modules that match the last components of the path.
fn explained_modules(path: &[&str], modules: &[&str]) -> usize {
    (0..=modules.len())
        .rev()
        .find(|&count| path.ends_with(&modules[..count]))
        .unwrap_or(0)
}

/// Turns `r#type` into `type`.
fn without_raw_prefix(identifier: &str) -> &str {
    identifier.strip_prefix("r#").unwrap_or(identifier)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path_of(source: &str, module_path: &str, function: &str) -> String {
        path_text(&snapshot_file(Path::new(source), module_path, function))
    }

    fn named(source: &str, name: &str) -> String {
        path_text(&named_snapshot_file(Path::new(source), name))
    }

    fn path_text(path: &Path) -> String {
        path.to_str().unwrap().replace('\\', "/")
    }

    #[test]
    fn modules_that_the_source_file_explains_are_left_out() {
        for (source, module_path, expected) in [
            ("src/lib.rs", "shop", "src/snapshots/lib__f.snap"),
            ("src/main.rs", "shop", "src/snapshots/main__f.snap"),
            (
                "src/lib.rs",
                "shop::tests",
                "src/snapshots/lib__tests__f.snap",
            ),
            ("src/tax.rs", "shop::tax", "src/snapshots/tax__f.snap"),
            (
                "src/tax.rs",
                "shop::tax::tests",
                "src/snapshots/tax__tests__f.snap",
            ),
            (
                "src/tax/mod.rs",
                "shop::tax",
                "src/tax/snapshots/mod__f.snap",
            ),
            (
                "src/tax/mod.rs",
                "shop::tax::tests",
                "src/tax/snapshots/mod__tests__f.snap",
            ),
            (
                "src/a/b.rs",
                "shop::a::b::c::d",
                "src/a/snapshots/b__c__d__f.snap",
            ),
            (
                "tests/pricing.rs",
                "pricing",
                "tests/snapshots/pricing__f.snap",
            ),
            (
                "tests/pricing.rs",
                "pricing::eur",
                "tests/snapshots/pricing__eur__f.snap",
            ),
            ("tests/it/main.rs", "it", "tests/it/snapshots/main__f.snap"),
            (
                "tests/it/tax.rs",
                "it::tax",
                "tests/it/snapshots/tax__f.snap",
            ),
            (
                "tests/common/mod.rs",
                "pricing::common",
                "tests/common/snapshots/mod__f.snap",
            ),
            ("shop/src/a.rs", "shop::a", "shop/src/snapshots/a__f.snap"),
            (
                "/home/me/a/src/a.rs",
                "a::a",
                "/home/me/a/src/snapshots/a__f.snap",
            ),
            ("src/lib.rs", "tool::lib", "src/snapshots/lib__f.snap"),
            ("build.rs", "", "snapshots/build__f.snap"),
        ] {
            assert_eq!(path_of(source, module_path, "f"), expected);
        }
    }

    #[test]
    fn a_module_named_like_the_integration_test_it_is_in_stays() {
        assert_eq!(
            path_of("tests/tax.rs", "tax::tax", "f"),
            "tests/snapshots/tax__tax__f.snap"
        );
        assert_eq!(
            path_of("tests/my-tax.rs", "my_tax", "f"),
            "tests/snapshots/my-tax__f.snap"
        );
        assert_eq!(
            path_of("tests/tax/main.rs", "tax::tax", "f"),
            "tests/tax/snapshots/main__tax__f.snap"
        );
        assert_eq!(
            path_of("src/tests/tax.rs", "tax::tests::tax", "f"),
            "src/tests/snapshots/tax__f.snap"
        );
    }

    #[test]
    fn all_modules_stay_where_a_path_attribute_puts_the_file_elsewhere() {
        assert_eq!(
            path_of("src/imp/unix.rs", "shop::sys", "f"),
            "src/imp/snapshots/unix__sys__f.snap"
        );
        assert_eq!(
            path_of("src/imp/unix.rs", "shop::a::unix", "f"),
            "src/imp/snapshots/unix__a__unix__f.snap"
        );
    }

    #[test]
    fn raw_identifiers_lose_their_prefix() {
        assert_eq!(
            path_of("src/type.rs", "shop::r#type", "r#match"),
            "src/snapshots/type__match.snap"
        );
    }

    #[test]
    fn a_name_becomes_safe_on_every_system() {
        assert_eq!(named("tests/a.rs", "x::y"), "tests/snapshots/a__x__y.snap");
        assert_eq!(
            named("tests/a.rs", "../..\\c:*?\"<>|\0\n y"),
            "tests/snapshots/a__.._.._c__________y.snap"
        );
        assert_eq!(
            named("tests/a.rs", "größe 東京 v1.2-rc"),
            "tests/snapshots/a__größe_東京_v1.2-rc.snap"
        );
    }

    #[test]
    fn long_names_are_cut_and_stay_apart() {
        let one = named("tests/a.rs", &"é".repeat(400));
        let other = named("tests/a.rs", &"é".repeat(401));
        assert_ne!(one, other);
        for file in [one, other] {
            let file = Path::new(&file).file_name().unwrap();
            assert!(file.len() <= LONGEST_STEM + ".snap".len());
        }
    }

    #[test]
    fn a_name_of_the_longest_length_is_not_cut() {
        let name = "n".repeat(LONGEST_STEM - "a__".len());
        assert_eq!(named("a.rs", &name), format!("snapshots/a__{name}.snap"));
    }

    #[test]
    fn a_pending_file_adds_to_the_whole_name() {
        assert_eq!(
            pending_file(Path::new("snapshots/a__v1.2.snap")),
            Path::new("snapshots/a__v1.2.snap.new")
        );
    }
}
