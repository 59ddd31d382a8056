//! All records of a workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tdg_engine::TestId;
use tdg_engine::snapshot::Header;
use tdg_report::owner::Owner;

use super::pattern::is_like;
use super::storage::{RecordedTest, Storage};
use super::{identity, lookup};
use crate::error::Result;
use crate::store;
use crate::workspace::{Package, Packages, Workspace};

/// All records of a workspace, sorted by package, source file and name.
#[derive(Debug)]
pub(crate) struct RecordedTests(Vec<RecordedTest>);

impl RecordedTests {
    pub(crate) fn read(workspace: &Workspace) -> Result<Self> {
        let mut records = Vec::new();
        for (benchmark, packages) in files(workspace) {
            for package in packages {
                let insta = &package.settings.insta;
                let pending = insta.pending_file(&benchmark, &package.root)?;
                let Some(test) = identity::test_id(package, &benchmark, &pending) else {
                    continue;
                };
                let benchmark = benchmark.clone();
                records.push(RecordedTest {
                    test,
                    package: Rc::clone(package),
                    storage: Storage::Files { benchmark, pending },
                });
            }
        }
        let packages = workspace.packages.iter();
        for package in packages.filter(|package| !package.settings.snapshots) {
            if let Some(store) = store::open_existing(&package.settings)? {
                let pending = store
                    .pending_changes()?
                    .into_iter()
                    .map(|pending| pending.test);
                let tests: BTreeSet<TestId> = store.tests()?.into_iter().chain(pending).collect();
                let own = tests
                    .into_iter()
                    .filter(|test| test.package == package.name);
                records.extend(own.map(|test| RecordedTest {
                    test,
                    package: package.clone(),
                    storage: Storage::Store,
                }));
            }
        }
        records.sort_by(|one, other| one.test.cmp(&other.test));
        Ok(Self(records))
    }

    /// Reads the records in which to search for a name.
    pub(crate) fn read_chosen(workspace: &Workspace, packages: &Packages) -> Result<Self> {
        let packages = packages.chosen(workspace)?;
        Ok(Self::read(workspace)?.in_packages(&packages))
    }

    /// Keeps only the records of the given packages.
    pub(crate) fn in_packages(mut self, packages: &BTreeSet<&str>) -> Self {
        self.0
            .retain(|record| packages.contains(record.test.package.as_str()));
        self
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &RecordedTest> {
        self.0.iter()
    }

    /// Returns the record of a test.
    pub(crate) fn of_test(&self, test: &TestId) -> Option<&RecordedTest> {
        self.0.iter().find(|record| record.test == *test)
    }

    /// Returns the records with a pending change.
    pub(crate) fn pending(&self) -> Result<Vec<&RecordedTest>> {
        let mut pending = Vec::new();
        for record in &self.0 {
            if record.is_pending()? {
                pending.push(record);
            }
        }
        Ok(pending)
    }

    /// Returns the records whose test name, with or without the package, matches a pattern.
    pub(crate) fn like(&self, pattern: &str) -> impl Iterator<Item = &RecordedTest> {
        self.iter().filter(move |record| {
            let TestId { package, name, .. } = &record.test;
            is_like(name, pattern) || is_like(&format!("{package}::{name}"), pattern)
        })
    }

    /// Finds the record of the test that a user named.
    pub(crate) fn named(&self, name: &str) -> Result<&RecordedTest> {
        lookup::named(&self.0, name)
    }
}

/// Returns a workspace's snapshot files, each with the packages that may own it.
fn files(workspace: &Workspace) -> BTreeMap<PathBuf, Vec<&Rc<Package>>> {
    let mut files: BTreeMap<PathBuf, Vec<&Rc<Package>>> = BTreeMap::new();
    let packages = workspace.packages.iter();
    for package in packages.filter(|package| package.settings.snapshots) {
        for file in package.snapshot_files() {
            files.entry(file).or_default().push(package);
        }
    }
    for (file, packages) in &mut files {
        if packages.len() > 1 {
            *packages = likely(file, packages);
        }
    }
    files
}

/// Returns the package whose test wrote the file, or else those with its source as a target, or
/// else those around the source.
fn likely<'w>(file: &Path, packages: &[&'w Rc<Package>]) -> Vec<&'w Rc<Package>> {
    let recorded = Header::read(file).and_then(|header| header.package);
    let source = |package: &Package| Some(Owner::find(file, &package.directory, None)?.source);
    let has_target =
        |package: &Package| source(package).is_some_and(|it| package.target_sources.contains(&it));
    let rules: [&dyn Fn(&Package) -> bool; 3] = [
        &|package| recorded.as_ref() == Some(&package.name),
        &has_target,
        &|package| file.starts_with(&package.directory),
    ];
    let chosen = rules.iter().map(|rule| {
        let chosen = packages.iter().copied().filter(|package| rule(package));
        chosen.collect::<Vec<_>>()
    });
    let chosen = chosen.into_iter().find(|chosen| !chosen.is_empty());
    chosen.unwrap_or_else(|| packages.to_vec())
}
