//! All records of a workspace.

use std::collections::BTreeSet;

use tdg_engine::Test;
use tdg_engine::store::Store;

use super::{Place, Record, identity, names};
use crate::error::Result;
use crate::workspace::{Workspace, snapshot_files};

/// All records of a workspace, by package, source file and name.
#[derive(Debug)]
pub(crate) struct Records(Vec<Record>);

impl Records {
    pub(crate) fn of(workspace: &Workspace) -> Result<Self> {
        let mut records = Vec::new();
        for package in &workspace.packages {
            if package.settings.snapshots {
                for benchmark in snapshot_files(package) {
                    let insta = &package.settings.insta;
                    let pending = insta.pending_file(&benchmark, &package.root)?;
                    let Some(test) = identity::of(package, &benchmark, &pending) else {
                        continue;
                    };
                    records.push(Record {
                        test,
                        package: package.clone(),
                        place: Place::Files { benchmark, pending },
                    });
                }
            } else if package.settings.directory.join("store.db").is_file() {
                let store = Store::open(&package.settings.directory)?;
                let waiting = store.pending_changes()?.into_iter().map(|waiting| waiting.test);
                let tests: BTreeSet<Test> = store.tests()?.into_iter().chain(waiting).collect();
                let own = tests
                    .into_iter()
                    .filter(|test| test.package == package.name);
                records.extend(own.map(|test| Record {
                    test,
                    package: package.clone(),
                    place: Place::Store,
                }));
            }
        }
        records.sort_by(|one, other| one.test.cmp(&other.test));
        Ok(Self(records))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Record> {
        self.0.iter()
    }

    /// The record of exactly this test.
    pub(crate) fn of_test(&self, test: &Test) -> Option<&Record> {
        self.0.iter().find(|record| record.test == *test)
    }

    /// The records that wait for a decision.
    pub(crate) fn pending(&self) -> Result<Vec<&Record>> {
        let mut pending = Vec::new();
        for record in &self.0 {
            if record.is_pending()? {
                pending.push(record);
            }
        }
        Ok(pending)
    }

    /// The record of the test that somebody means by this name.
    pub(crate) fn named(&self, name: &str) -> Result<&Record> {
        names::named(&self.0, name)
    }
}
