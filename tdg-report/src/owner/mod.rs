//! The test that a snapshot file belongs to.
//!
//! A test looks up its file by source file and name, so the file's name decides. The name recorded
//! inside belongs to the test that wrote it. Since different names can lead to one file (`a::b` and
//! `a__b`), the recorded name is used as long as it leads to the file.

mod binary;
mod files;
mod folder;
mod heads;
mod orphan;
mod source_text;
mod status;
mod target;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use folder::SourceFolder;
use source_text::SourceText;
use target::modules_of;
use tdg_engine::snapshot::{named_snapshot_file, snapshot_file};

pub use binary::TestBinary;
pub(crate) use files::sources;
pub use files::{has_package, snapshot_files};
pub use orphan::Orphan;
pub use status::{KnownTests, Standing};

/// The test that a snapshot file belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The source file, which may be gone.
    pub source: PathBuf,
    /// The test's name, such as `pricing::total`.
    pub name: String,
}

impl Owner {
    /// Returns the owner of a snapshot file in a package's directory, where `recorded` is the name
    /// in the file.
    ///
    /// Returns `None` if the file isn't in a folder next to a source file.
    pub fn find(file: &Path, package: &Path, recorded: Option<&str>) -> Option<Self> {
        Self::among(&SourceFolder::read(file)?, file, package, recorded)
    }

    /// Does the same with the given source folder.
    fn among(
        folder: &SourceFolder,
        file: &Path,
        package: &Path,
        recorded: Option<&str>,
    ) -> Option<Self> {
        let stem = stem(file)?;
        let source = folder.source(&stem);
        let name = match recorded {
            Some(name) if has_file(&source, name, file) => name.to_owned(),
            _ => name_of(&stem, &source, package)?,
        };
        Some(Self { source, name })
    }

    /// Returns the test in another source file that recorded this snapshot file, because its name
    /// leads there too: `c` of `a__b.rs`, for `b::c` of `a.rs`.
    pub fn beside(file: &Path, source: &Path, package: &Path, recorded: &str) -> Option<Self> {
        let (stem, folder) = (stem(file)?, SourceFolder::read(file)?);
        let others = folder.sources(&stem);
        let mut others = others.filter(|other| other.file_name() != source.file_name());
        let found = others.find_map(|other| FoundOwner::in_source(other, package, recorded))?;
        (found.file == file).then_some(found.owner)
    }

    /// Returns the file that a snapshot file was copied from: the test that recorded the copy is in
    /// `source` and has a snapshot file elsewhere.
    pub fn original(copy: &Path, source: &Path, package: &Path, recorded: &str) -> Option<PathBuf> {
        let found = FoundOwner::in_source(source, package, recorded)?;
        (found.file != copy && found.file.is_file()).then_some(found.file)
    }

    /// Returns true if the test of a snapshot file is certainly gone from the sources. `is_named`
    /// is true if its name differs from its function's.
    pub fn is_gone(&self, file: &Path, is_named: bool) -> bool {
        match SourceText::once(&self.source) {
            Ok(Some(text)) if is_named => !(text.names(file) || text.builds_names()),
            Ok(Some(text)) => !text.may_have(self.function()),
            Ok(None) => true,
            Err(_) => false,
        }
    }

    /// Returns true if the test of a snapshot file is in the sources and `#[ignore]`d.
    pub fn is_ignored(&self, file: &Path, is_named: bool) -> bool {
        self.source_text().is_some_and(|text| match is_named {
            true => text.ignores_named(file),
            false => text.tests(self.function()).is_ignored,
        })
    }

    /// Returns true if a string in the sources names the test with that snapshot file, rather than
    /// its function.
    pub fn has_own_name(&self, file: &Path) -> bool {
        let is_named = |text: &SourceText| text.tests(self.function()).ensembles == 0;
        self.source_text()
            .is_some_and(|text| is_named(&text) && text.names(file))
    }

    fn source_text(&self) -> Option<Arc<SourceText>> {
        SourceText::once(&self.source).ok()?
    }

    fn function(&self) -> &str {
        function_of(&self.name)
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
    /// Returns the tests with this name in the sources of a package, including its source folders
    /// `outside` the package's directory.
    pub fn named(package: &Path, outside: &[PathBuf], name: &str) -> Vec<Self> {
        let folders = [package].into_iter();
        let folders = folders.chain(outside.iter().map(PathBuf::as_path));
        folders
            .flat_map(sources)
            .filter_map(|source| Self::in_source(&source, package, name))
            .collect()
    }

    fn in_source(source: &Path, package: &Path, name: &str) -> Option<Self> {
        let text = SourceText::read(source).ok()??;
        let named = named_snapshot_file(source, name);
        let modules = modules_of(source, package);
        let in_file = match modules.as_str() {
            "" => Some(name),
            modules => name
                .strip_prefix(modules)
                .and_then(|rest| rest.strip_prefix("::")),
        };
        let file = match in_file.filter(|_| text.tests(function_of(name)).ensembles > 0) {
            Some(in_file) => named_snapshot_file(source, in_file),
            None => text.names(&named).then_some(named)?,
        };
        let owner = Owner {
            source: source.to_owned(),
            name: name.to_owned(),
        };
        Some(Self { owner, file })
    }
}

/// Returns the function of a test: `total` for `pricing::total`.
fn function_of(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// Returns true if a test with this name in a source file has this snapshot file.
fn has_file(source: &Path, name: &str, file: &Path) -> bool {
    if named_snapshot_file(source, name) == file {
        return true;
    }
    let (modules, function) = name.rsplit_once("::").unwrap_or(("", name));
    // The recorded name lacks the crate name, which matters if a module has the same name.
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

/// Returns `pricing__total` for `pricing__total.snap` and `pricing__total.snap.new`.
fn stem(file: &Path) -> Option<String> {
    let name = file.file_name()?.to_str()?;
    let name = name.strip_suffix(".new").unwrap_or(name);
    Some(name.strip_suffix(".snap").unwrap_or(name).to_owned())
}

/// Derives a test's name from the name of its file.
fn name_of(stem: &str, source: &Path, package: &Path) -> Option<String> {
    let modules = modules_of(source, package);
    let source = source.file_stem()?.to_string_lossy();
    let rest = stem.strip_prefix(&*source)?.strip_prefix("__")?;
    let rest = rest.replace("__", "::");
    Some(if modules.is_empty() {
        rest
    } else {
        format!("{modules}::{rest}")
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use tdg_engine::Ensemble;

    fn package_of(sources: &[(&str, &str)]) -> tempfile::TempDir {
        let package = tempfile::tempdir().unwrap();
        for (path, text) in sources {
            let path = package.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        package
    }

    /// Returns the owner of a file in a package with these source files.
    fn owner(sources: &[(&str, &str)], file: &str, recorded: Option<&str>) -> (String, String) {
        let package = package_of(sources);
        let file = package.path().join(file);
        let owner = Owner::find(&file, package.path(), recorded).unwrap();
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
    fn the_name_falls_back_to_the_file_and_the_modules_of_the_source() {
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
        // Its own name, and the name of a removed test.
        assert_eq!(beside("tests/a.rs", "b::c"), None);
        assert_eq!(beside("tests/a.rs", "d"), None);
    }

    #[test]
    fn a_file_that_names_a_test_with_another_file_is_a_copy() {
        let tests = "#[ensemble_test] fn a() {} #[ensemble_test] fn b() {}";
        let package = package_of(&[("tests/x.rs", tests), ("tests/snapshots/x__a.snap", "")]);
        let path = |path: &str| package.path().join(path);
        let original = |copy: &str, recorded: &str| {
            Owner::original(&path(copy), &path("tests/x.rs"), package.path(), recorded)
        };
        let a = path("tests/snapshots/x__a.snap");
        assert_eq!(original("tests/snapshots/x__b.snap", "a"), Some(a));
        assert_eq!(original("tests/snapshots/x__a.snap", "a"), None);
        // Its test has no file, or is gone because git moved the file.
        assert_eq!(original("tests/snapshots/x__a.snap", "b"), None);
        assert_eq!(original("tests/snapshots/x__b.snap", "former"), None);
    }

    #[test]
    fn a_source_outside_the_package_has_tests_of_it() {
        let root = package_of(&[
            ("shop/Cargo.toml", "[package]\nname=\"shop\"\n"),
            ("shared/t.rs", "#[ensemble_test] fn total() {}"),
        ]);
        let (package, outside) = (root.path().join("shop"), root.path().join("shared"));
        let file = outside.join("snapshots/t__total.snap");
        let found = FoundOwner::named(&package, std::slice::from_ref(&outside), "total");
        assert_eq!(found[0].file, file);
        fs::create_dir(outside.join("snapshots")).unwrap();
        let rows = ensemble("{}");
        let text =
            tdg_engine::snapshot::render_outputs("former", "", &rows, |_, text| text.push('1'));
        fs::write(outside.join("snapshots/t__former.snap"), text).unwrap();
        let known = KnownTests {
            package: &package,
            outside: &[outside],
            binaries: &[],
        };
        let orphans = known.orphans(&rows, &file, |_| false);
        let names: Vec<_> = orphans.into_iter().map(|it| it.owner.name).collect();
        assert_eq!(names, ["former"]);
        assert!(has_package(root.path(), "shop") && !has_package(root.path(), "till"));
    }

    #[test]
    fn a_test_is_found_in_the_sources_by_its_name() {
        let text = "mod tests {
            #[ensemble_test] fn total() {}
            #[test] fn f() { EnsembleTest::new(\"tax::of (EUR)\").size(1) }
        }";
        let found = |name: &str| {
            let package = package_of(&[("src/tax.rs", text), ("tests/a.rs", "")]);
            let found = FoundOwner::named(package.path(), &[], name);
            let files = found.into_iter().map(|found| {
                let file = found.file.strip_prefix(package.path()).unwrap();
                file.display().to_string()
            });
            files.collect::<Vec<_>>()
        };
        assert_eq!(
            found("tax::tests::total"),
            ["src/snapshots/tax__tests__total.snap"]
        );
        assert_eq!(
            found("tax::of (EUR)"),
            ["src/snapshots/tax__tax__of__EUR_.snap"]
        );
        assert_eq!(found("tax::tests::f"), [""; 0]);
        assert_eq!(found("tests::total"), [""; 0]);
    }

    /// Returns the standing of a snapshot file's test in a package with one binary.
    fn standing(
        source: &str,
        text: &str,
        tests: Result<&[&str], &str>,
        (owner, name, is_named): (&str, &str, bool),
    ) -> Standing {
        let package = package_of(&[(source, text)]);
        let asked = package.path().join("tests/asked.rs");
        let binary = TestBinary::that_says(&asked, tests);
        let owner = Owner {
            source: package.path().join(owner),
            name: name.to_owned(),
        };
        let known = KnownTests {
            package: package.path(),
            outside: &[],
            binaries: &[binary],
        };
        let file = named_snapshot_file(&owner.source, name);
        known.standing(&owner, &file, is_named)
    }

    #[test]
    fn a_binary_decides_for_the_functions_of_its_sources() {
        let own = |text, tests, name| {
            let of = ("tests/asked.rs", name, false);
            standing("tests/asked.rs", text, tests, of)
        };
        let (there, gone) = (Standing::There, Standing::Gone);
        let total = "#[ensemble_test] fn total() {}";
        assert_eq!(own("", Ok(&["total"]), "total"), there);
        assert_eq!(own("macros! { total }", Ok(&["sum"]), "total"), gone);
        assert_eq!(own("fn total() {}", Ok(&["sum"]), "total"), gone);
        // It isn't compiled, or its module was renamed.
        let uncompiled = Standing::Idle("not compiled");
        assert_eq!(own(total, Ok(&["sum"]), "total"), uncompiled);
        // An ordinary test has taken its name.
        for ordinary in [
            "use shop::{total}; #[test] fn total() { assert_eq!(total(1), 1) }",
            "#[tokio::test(start_paused = true)] async fn total() {}",
            "proptest! { #[test] fn total(quantity in 1..9) {} }",
            "#[ensemble_test(name = \"total\")] fn sum() {} #[rstest] fn total(#[case] x: u32) {}",
        ] {
            assert_eq!(own(ordinary, Ok(&["total", "sum"]), "total"), gone);
        }
        let of_each_system =
            format!("#[cfg(unix)] {total} #[cfg(windows)] #[test] fn total() {{}}");
        assert_eq!(own(&of_each_system, Ok(&["total"]), "total"), there);
        let in_a_macro = "#[test] fn total() {} mod net { made!(total); }";
        let both: &[&str] = &["total", "net::total"];
        assert_eq!(own(in_a_macro, Ok(both), "net::total"), there);
        let ignored = "#[ensemble_test] #[ignore] fn total() {}";
        let idle = Standing::Idle("ignored");
        assert_eq!(own(ignored, Ok(&["total"]), "total"), idle);
        assert_eq!(own(total, Ok(&["net::total"]), "gross::total"), gone);
        // It moved to another source file.
        let of_other = ("tests/other.rs", "total", false);
        let other = |text, tests| standing("tests/other.rs", text, tests, of_other);
        assert_eq!(other(total, Ok(&["total"])), there);
        assert!(matches!(other("", Ok(&["total"])), Standing::Unknown(_)));
        let of_none = ("tests/none.rs", "total", false);
        assert_eq!(
            standing("tests/other.rs", "", Ok(&["total"]), of_none),
            gone
        );
        // The binary can't list its tests.
        assert_eq!(own(total, Err("no"), "total"), there);
        assert!(matches!(own("", Err("no"), "total"), Standing::Unasked(_)));
    }

    fn ensemble(definition: &str) -> Ensemble {
        Ensemble {
            name: "total".to_owned(),
            size: 1,
            seed: 0,
            sampler_version: 1,
            digest: "0".repeat(32),
            definition: definition.to_owned(),
            rows: None,
        }
    }

    #[test]
    fn a_test_may_have_moved_from_another_package_with_its_rows() {
        let ensemble = ensemble("{}");
        let text =
            tdg_engine::snapshot::render_outputs("total", "", &ensemble, |_, text| text.push('1'));
        let root = package_of(&[
            ("a/Cargo.toml", ""),
            ("a/tests/prices.rs", "#[ensemble_test] fn sum() {}"),
            ("a/tests/snapshots/prices__total.snap", &text),
            (
                "a/tests/snapshots/prices__sum.snap",
                &text.replace("total", "sum"),
            ),
            ("b/Cargo.toml", ""),
        ]);
        let elsewhere = |package: &str, rows: &Ensemble| {
            let known = KnownTests {
                package: &root.path().join(package),
                outside: &[],
                binaries: &[],
            };
            let orphans = known.orphans_elsewhere(root.path(), rows).into_iter();
            orphans.map(|it| it.owner.name).collect::<Vec<_>>()
        };
        assert_eq!(elsewhere("b", &ensemble), ["total"]);
        assert_eq!(elsewhere("a", &ensemble), [""; 0]);
        let other_rows = Ensemble {
            digest: "1".repeat(32),
            ..ensemble
        };
        assert_eq!(elsewhere("b", &other_rows), [""; 0]);
    }

    #[test]
    fn a_benchmark_of_other_features_is_a_less_likely_rename() {
        let of = |features: &[&str]| {
            let features = features.iter().map(|feature| {
                let (name, kind) = feature.split_once(' ').unwrap();
                let distribution = r#"{"type":"uniform","min":1,"max":9}"#;
                format!(
                    r#"{{"feature_name":"{name}","type":"{kind}","distribution":{distribution}}}"#
                )
            });
            let features = features.collect::<Vec<_>>().join(",");
            ensemble(&format!(r#"{{"features":[{features}]}}"#))
        };
        let text = |name: &str, ensemble: &Ensemble| {
            tdg_engine::snapshot::render_outputs(name, "", ensemble, |_, text| text.push('1'))
        };
        let grams = of(&["grams INTEGER", "day INTEGER"]);
        let package = package_of(&[
            ("tests/prices.rs", ""),
            ("tests/snapshots/prices__few.snap", &text("few", &grams)),
        ]);
        let known = KnownTests {
            package: package.path(),
            outside: &[],
            binaries: &[],
        };
        let has_features = |features: &[&str]| {
            let rows = Ensemble {
                digest: "1".repeat(32),
                ..of(features)
            };
            let orphans = known.orphans(&rows, Path::new("own"), |_| false);
            orphans.iter().map(|it| it.has_features).collect::<Vec<_>>()
        };
        assert_eq!(has_features(&["zone INTEGER", "grams INTEGER"]), [true]);
        assert_eq!(has_features(&["grams FLOAT"]), [false]);
        let same_rows = known.orphans(&of(&["zone INTEGER"]), Path::new("own"), |_| false);
        assert!(same_rows[0].has_features);
    }

    #[test]
    fn the_text_decides_for_explicit_names() {
        let named = |text| {
            let of = ("tests/asked.rs", "of (EUR)", true);
            standing("tests/asked.rs", text, Ok(&["f"]), of)
        };
        assert_eq!(named("fn f() { check(\"of (EUR)\") }"), Standing::There);
        assert_eq!(named("fn f() { check(\"of (USD)\") }"), Standing::Gone);
        let built = "fn f() { EnsembleTest::new(format!(\"of ({unit})\")) }";
        assert!(matches!(named(built), Standing::Unknown(_)));
    }
}
