//! All records of a workspace.

use std::collections::BTreeSet;

use tdg_engine::TestId;
use tdg_engine::owner::snapshot_files;

use super::pattern::is_like;
use super::storage::{RecordedTest, Storage};
use super::{identity, lookup};
use crate::error::Result;
use crate::store;
use crate::workspace::Workspace;

/// All records of a workspace, by package, source file and name.
#[derive(Debug)]
pub(crate) struct RecordedTests(Vec<RecordedTest>);

impl RecordedTests {
    pub(crate) fn of(workspace: &Workspace) -> Result<Self> {
        let mut records = Vec::new();
        for package in &workspace.packages {
            if package.settings.snapshots {
                for benchmark in snapshot_files(&package.directory) {
                    let insta = &package.settings.insta;
                    let pending = insta.pending_file(&benchmark, &package.root)?;
                    let Some(test) = identity::of(package, &benchmark, &pending) else {
                        continue;
                    };
                    records.push(RecordedTest {
                        test,
                        package: package.clone(),
                        storage: Storage::Files { benchmark, pending },
                    });
                }
            } else if let Some(store) = store::open_existing(&package.settings)? {
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

    /// The records of these packages.
    pub(crate) fn in_packages(mut self, packages: &BTreeSet<&str>) -> Self {
        self.0
            .retain(|record| packages.contains(record.test.package.as_str()));
        self
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &RecordedTest> {
        self.0.iter()
    }

    /// The record of exactly this test.
    pub(crate) fn of_test(&self, test: &TestId) -> Option<&RecordedTest> {
        self.0.iter().find(|record| record.test == *test)
    }

    /// The records with a pending change.
    pub(crate) fn pending(&self) -> Result<Vec<&RecordedTest>> {
        let mut pending = Vec::new();
        for record in &self.0 {
            if record.is_pending()? {
                pending.push(record);
            }
        }
        Ok(pending)
    }

    /// The records of the tests whose name, or package and name, is like a pattern.
    pub(crate) fn like(&self, pattern: &str) -> impl Iterator<Item = &RecordedTest> {
        self.iter().filter(move |record| {
            let TestId { package, name, .. } = &record.test;
            is_like(name, pattern) || is_like(&format!("{package}::{name}"), pattern)
        })
    }

    /// The record of the test that this name stands for.
    pub(crate) fn named(&self, name: &str) -> Result<&RecordedTest> {
        lookup::named(&self.0, name)
    }
}
