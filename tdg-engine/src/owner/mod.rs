//! The test that a snapshot file belongs to.
//!
//! A test looks its file up by source file and name, so the file's name decides, and the name
//! inside is that of the test that wrote it. Different names can lead to one file (`a::b` and
//! `a__b`), so the name inside is used as long as it leads to the file.

mod files;
mod source_tests;
mod tokens;
mod unrecorded;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::snapshot::{named_snapshot_file, snapshot_file};

pub use files::snapshot_files;
pub use source_tests::SourceTests;
pub use unrecorded::UnrecordedTest;

/// The test that a snapshot file belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The source file, which may be gone.
    pub source: PathBuf,
    /// The name: `pricing::total`.
    pub name: String,
}

impl Owner {
    /// The owner of a snapshot file in a package's directory; `recorded` is the name in the file.
    ///
    /// `None` if the file is not in a folder beside a source file.
    pub fn of(file: &Path, package: &Path, recorded: Option<&str>) -> Option<Self> {
        let stem = stem(file)?;
        let source = source_of(file, &stem)?;
        let name = match recorded {
            Some(name) if has_file(&source, name, file) => name.to_owned(),
            _ => name_of(file, &stem, &source, package)?,
        };
        Some(Self { source, name })
    }

    /// The test in another source file that has the same snapshot file and recorded it: `c` of
    /// `a__b.rs`, for `b::c` of `a.rs`.
    pub fn beside(file: &Path, source: &Path, package: &Path, recorded: &str) -> Option<Self> {
        let stem = stem(file)?;
        let others = sources_of(file, &stem)?;
        let mut others = others.filter(|other| other.file_name() != source.file_name());
        let other = others.find(|other| {
            let has_test = || {
                let tests = SourceTests::read(other).ok()??;
                let modules = modules_of(other, package);
                let mut found = tests.found(&modules);
                Some(found.any(|(name, _)| name == recorded))
            };
            has_file(other, recorded, file) && has_test() == Some(true)
        })?;
        Some(Self {
            source: other,
            name: recorded.to_owned(),
        })
    }

    /// Whether its test is certainly not in the sources any more.
    pub fn is_gone(&self) -> bool {
        match SourceTests::read(&self.source) {
            Ok(Some(tests)) => !tests.may_have(&self.name),
            Ok(None) => true,
            Err(_) => false,
        }
    }
}

/// A test in the sources, with its snapshot file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundOwner {
    /// The test.
    pub owner: Owner,
    /// Its snapshot file, which may not exist.
    pub file: PathBuf,
}

impl FoundOwner {
    /// The tests in the sources of a package's directory that have this name, or whose names end
    /// with it.
    pub fn named(package: &Path, name: &str) -> Vec<Self> {
        let mut found = Vec::new();
        for source in files::sources(package) {
            let Ok(Some(tests)) = SourceTests::read(&source) else {
                continue;
            };
            let modules = modules_of(&source, package);
            for (whole, in_file) in tests.found(&modules) {
                let is_end = |start: &str| start.is_empty() || start.ends_with("::");
                if whole.strip_suffix(name).is_some_and(is_end) {
                    found.push(Self {
                        file: named_snapshot_file(&source, in_file),
                        owner: Owner {
                            source: source.clone(),
                            name: whole,
                        },
                    });
                }
            }
        }
        found
    }
}

/// Whether a test of that name in a source file has this snapshot file.
fn has_file(source: &Path, name: &str, file: &Path) -> bool {
    if named_snapshot_file(source, name) == file {
        return true;
    }
    let (modules, function) = name.rsplit_once("::").unwrap_or(("", name));
    // The name is without the crate, whose name counts where a module has it too.
    let folder = source.parent().and_then(Path::file_name);
    let crates = [Some(OsStr::new("")), source.file_stem(), folder];
    crates.into_iter().flatten().any(|name| {
        let mut path = name.to_string_lossy().replace('-', "_");
        if !modules.is_empty() {
            path.push_str("::");
            path.push_str(modules);
        }
        snapshot_file(source, &path, function) == file
    })
}

/// `pricing__total` for `pricing__total.snap` and `pricing__total.snap.new`.
fn stem(file: &Path) -> Option<String> {
    let name = file.file_name()?.to_str()?;
    let name = name.strip_suffix(".new").unwrap_or(name);
    Some(name.strip_suffix(".snap").unwrap_or(name).to_owned())
}

/// The source files that can have the snapshot file: in the directory above, with names that the
/// snapshot's begins with.
fn sources_of<'s>(file: &Path, stem: &'s str) -> Option<impl Iterator<Item = PathBuf> + use<'s>> {
    let folder = file.parent()?.parent()?;
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    Some(entries.map(|entry| entry.path()).filter(move |path| {
        let source = path.file_stem().unwrap_or_default().to_string_lossy();
        let rest = stem.strip_prefix(&*source);
        rest.is_some_and(|rest| rest.starts_with("__")) && path.is_file()
    }))
}

/// The source file: the one with the longest name.
fn source_of(file: &Path, stem: &str) -> Option<PathBuf> {
    let folder = file.parent()?.parent()?;
    // An included file may have another extension.
    let longest = sources_of(file, stem)?.max_by_key(|path| {
        let is_rust = path.extension().is_some_and(|it| it == "rs");
        (path.file_stem().map(OsStr::len), is_rust)
    });
    let gone = || {
        let name = stem.split("__").next().unwrap_or(stem);
        folder.join(format!("{name}.rs"))
    };
    Some(longest.unwrap_or_else(gone))
}

/// The name of the test that looks this file up: that of a test in the source, or else by the
/// name of the file.
fn name_of(file: &Path, stem: &str, source: &Path, package: &Path) -> Option<String> {
    let modules = modules_of(source, package);
    if let Ok(Some(tests)) = SourceTests::read(source)
        && let Some(name) = tests
            .names(&modules)
            .find(|name| has_file(source, name, file))
    {
        return Some(name);
    }
    let source = source.file_stem()?.to_string_lossy();
    let rest = stem.strip_prefix(&*source)?.strip_prefix("__")?;
    let rest = rest.replace("__", "::");
    Some(if modules.is_empty() {
        rest
    } else {
        format!("{modules}::{rest}")
    })
}

/// The module that a source file is, in its crate: `a::b` for `src/a/b.rs`.
fn modules_of(source: &Path, package: &Path) -> String {
    let relative = source.strip_prefix(package).unwrap_or(source);
    let path = relative.with_extension("");
    let parts: Vec<_> = path.iter().map(OsStr::to_string_lossy).collect();
    let parts: Vec<&str> = parts.iter().map(|part| &**part).collect();
    let is_crate = |folder: &str| package.join(folder).join("main.rs").is_file();
    let modules = match parts.as_slice() {
        ["src", "bin", crate_name, rest @ ..]
            if rest.is_empty() || is_crate(&format!("src/bin/{crate_name}")) =>
        {
            rest
        }
        ["src", rest @ ..] => rest,
        [
            folder @ ("tests" | "benches" | "examples"),
            crate_name,
            rest @ ..,
        ] if rest.is_empty() || is_crate(&format!("{folder}/{crate_name}")) => rest,
        ["tests" | "benches" | "examples", rest @ ..] => rest,
        _ => &[],
    };
    let modules = match modules {
        [modules @ .., "mod" | "lib" | "main"] => modules,
        modules => modules,
    };
    modules.join("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package_of(sources: &[(&str, &str)]) -> tempfile::TempDir {
        let package = tempfile::tempdir().unwrap();
        for (path, text) in sources {
            let path = package.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        package
    }

    /// The owner of a file in a package with these source files.
    fn owner(sources: &[(&str, &str)], file: &str, recorded: Option<&str>) -> (String, String) {
        let package = package_of(sources);
        let file = package.path().join(file);
        let owner = Owner::of(&file, package.path(), recorded).unwrap();
        let source = owner.source.strip_prefix(package.path()).unwrap();
        let source = source.display().to_string().replace('\\', "/");
        (source, owner.name)
    }

    fn name(source: &str, text: &str, file: &str, recorded: &str) -> String {
        owner(&[(source, text)], file, Some(recorded)).1
    }

    #[test]
    fn the_name_in_the_file_counts_as_long_as_it_leads_to_the_file() {
        for (source, file, recorded) in [
            ("tests/a.rs", "tests/snapshots/a__total.snap", "total"),
            ("tests/a.rs", "tests/snapshots/a__b__total.snap", "b::total"),
            ("tests/a.rs", "tests/snapshots/a__b__total.snap", "b__total"),
            ("tests/a.rs", "tests/snapshots/a__of__EUR_.snap", "of (EUR)"),
            (
                "src/tax.rs",
                "src/snapshots/tax__tests__total.snap",
                "tax::tests::total",
            ),
            ("tests/a.rs", "tests/snapshots/a__a__f.snap", "a::f"),
            (
                "tests/a/main.rs",
                "tests/a/snapshots/main__a__f.snap",
                "a::f",
            ),
        ] {
            assert_eq!(name(source, "", file, recorded), recorded, "{file}");
        }
    }

    #[test]
    fn else_the_name_is_that_of_a_test_that_looks_for_the_file() {
        let file = "tests/snapshots/a__of__USD_.snap";
        let text = "fn f() { EnsembleTest::new(\"of (USD)\") }";
        assert_eq!(name("tests/a.rs", text, file, "of (EUR)"), "of (USD)");
        let text = "#[ensemble_test] fn my__test() {}";
        let file = "tests/snapshots/a__my__test.snap";
        assert_eq!(name("tests/a.rs", text, file, "total"), "my__test");
    }

    #[test]
    fn else_the_name_is_that_of_the_file_with_the_modules_of_the_source() {
        for (source, file, expected) in [
            ("tests/a.rs", "tests/snapshots/a__b.snap", "b"),
            ("src/lib.rs", "src/snapshots/lib__tests__b.snap", "tests::b"),
            (
                "src/tax.rs",
                "src/snapshots/tax__tests__b.snap",
                "tax::tests::b",
            ),
            (
                "src/a/mod.rs",
                "src/a/snapshots/mod__tests__b.snap",
                "a::tests::b",
            ),
            ("src/bin/x.rs", "src/bin/snapshots/x__b.snap", "b"),
            ("tests/it/main.rs", "tests/it/snapshots/main__b.snap", "b"),
            (
                "tests/common/mod.rs",
                "tests/common/snapshots/mod__b.snap",
                "common::b",
            ),
        ] {
            assert_eq!(name(source, "", file, "former"), expected, "{file}");
        }
    }

    #[test]
    fn the_source_has_the_longest_name_that_fits_and_may_be_gone() {
        let sources = [("tests/a.rs", ""), ("tests/a__b.rs", "")];
        let of = |file: &str| owner(&sources, &format!("tests/snapshots/{file}"), None).0;
        assert_eq!(of("a__c.snap"), "tests/a.rs");
        assert_eq!(of("a__b__c.snap"), "tests/a__b.rs");
        assert_eq!(of("gone__c.snap"), "tests/gone.rs");
    }

    #[test]
    fn a_test_of_another_file_can_have_the_same_snapshot_file() {
        let test = "#[ensemble_test] fn c() {}";
        let module = format!("mod b {{ {test} }}");
        let package = package_of(&[("tests/a.rs", &module), ("tests/a__b.rs", test)]);
        let file = package.path().join("tests/snapshots/a__b__c.snap");
        let beside = |source: &str, recorded| {
            let source = package.path().join(source);
            let owner = Owner::beside(&file, &source, package.path(), recorded)?;
            let source = owner.source.file_name()?.to_str()?.to_owned();
            Some((source, owner.name))
        };
        let of = |source: &str, name: &str| Some((source.to_owned(), name.to_owned()));
        assert_eq!(beside("tests/a.rs", "c"), of("a__b.rs", "c"));
        assert_eq!(beside("tests/a__b.rs", "b::c"), of("a.rs", "b::c"));
        // Its own name, and that of a test that is gone.
        assert_eq!(beside("tests/a.rs", "b::c"), None);
        assert_eq!(beside("tests/a.rs", "d"), None);
    }

    #[test]
    fn a_test_is_found_by_its_name_or_the_end_of_it() {
        let text = "mod tests {
            #[ensemble_test] fn total() {}
            #[test] fn f() { EnsembleTest::new(\"tax::of (EUR)\").size(1) }
        }";
        let found = |name: &str| {
            let package = package_of(&[("src/tax.rs", text), ("tests/a.rs", "")]);
            let found = FoundOwner::named(package.path(), name);
            let shown = found.into_iter().map(|found| {
                let file = found.file.strip_prefix(package.path()).unwrap();
                (found.owner.name, file.display().to_string())
            });
            shown.collect::<Vec<_>>()
        };
        let total = [(
            "tax::tests::total".to_owned(),
            "src/snapshots/tax__tests__total.snap".to_owned(),
        )];
        assert_eq!(found("tax::tests::total"), total);
        assert_eq!(found("total"), total);
        assert_eq!(
            found("tax::of (EUR)"),
            [(
                "tax::of (EUR)".to_owned(),
                "src/snapshots/tax__tax__of__EUR_.snap".to_owned()
            )]
        );
        assert_eq!(found("f"), []);
    }
}
