//! What is kept of a test: its benchmark, the change that waits for a decision, its history.

mod change;
mod decide;
mod find;
mod identity;
mod names;
mod texts;

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tdg_definition::json::Value;
use tdg_engine::Test;
use tdg_engine::compare::Policy;
use tdg_engine::config::display_path;
use tdg_engine::snapshot::Snapshot;
use tdg_engine::store::{Store, Uuid};

use crate::error::{Context as _, Error, Result};
use crate::workspace::Package;

pub(crate) use change::{Change, Compared, outputs, vectors};
pub(crate) use find::Records;

/// What is kept of one test.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) test: Test,
    pub(crate) package: Rc<Package>,
    place: Place,
}

/// Where benchmark and pending change are.
#[derive(Debug)]
enum Place {
    /// In files, which the store follows.
    Files {
        benchmark: PathBuf,
        pending: PathBuf,
    },
    /// In the store alone.
    Store,
}

/// Outputs that wait for a decision.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) snapshot: Snapshot,
    /// What names it in the store, where it is nowhere else.
    uuid: Option<Uuid>,
}

/// What JSON says of a test and its snapshot file.
pub(crate) fn members(
    test: &Test,
    snapshot: Option<String>,
) -> impl Iterator<Item = (&'static str, Value)> {
    let members = [
        ("test", Value::from(test.name.as_str())),
        ("package", Value::from(test.package.as_str())),
        ("source", Value::from(test.source.as_str())),
        ("snapshot", snapshot.map(Value::from).unwrap_or_default()),
    ];
    members.into_iter()
}

impl Record {
    /// What JSON says of its test and snapshot file.
    pub(crate) fn members(&self) -> impl Iterator<Item = (&'static str, Value)> {
        members(&self.test, self.file().map(|_| self.shown()))
    }

    /// Where the benchmark is, as messages say it.
    pub(crate) fn shown(&self) -> String {
        match &self.place {
            Place::Files { benchmark, .. } => display_path(&self.package.root, benchmark),
            Place::Store => "in the store".to_owned(),
        }
    }

    /// The snapshot file, unless benchmarks are in the store alone.
    pub(crate) fn file(&self) -> Option<&Path> {
        match &self.place {
            Place::Files { benchmark, .. } => Some(benchmark),
            Place::Store => None,
        }
    }

    /// Where outputs wait for a decision, as reports say it.
    pub(crate) fn pending_place(&self) -> tdg_engine::report::Pending {
        match &self.place {
            Place::Files { pending, .. } => {
                tdg_engine::report::Pending::InFile(display_path(&self.package.root, pending))
            }
            Place::Store => tdg_engine::report::Pending::InStore,
        }
    }

    /// Whether something waits for a decision.
    pub(crate) fn is_pending(&self) -> Result<bool> {
        match &self.place {
            Place::Files { pending, .. } => Ok(pending.is_file()),
            Place::Store => Ok(self.pending()?.is_some()),
        }
    }

    /// The benchmark, if there is one. Of one on a server, what it expects is known where a run has
    /// fetched it.
    pub(crate) fn benchmark(&self) -> Result<Option<Snapshot>> {
        match &self.place {
            Place::Files { benchmark, .. } => match Snapshot::read(benchmark)? {
                Some(file) if file.pin().is_some() => {
                    let kept = match self.store()? {
                        Some(store) => store.pinned(&file)?,
                        None => None,
                    };
                    Ok(Some(kept.unwrap_or(file)))
                }
                found => Ok(found),
            },
            Place::Store => match self.store()? {
                Some(store) => Ok(match store.benchmark(&self.test)? {
                    Some(kept) => Some(kept.to_snapshot().context(&self.test)?),
                    None => None,
                }),
                None => Ok(None),
            },
        }
    }

    /// What waits for a decision, if something does.
    pub(crate) fn pending(&self) -> Result<Option<Pending>> {
        match &self.place {
            Place::Files { pending, .. } => {
                let snapshot = Snapshot::read(pending)?;
                Ok(snapshot.map(|snapshot| Pending {
                    snapshot,
                    uuid: None,
                }))
            }
            Place::Store => {
                let Some(store) = self.store()? else {
                    return Ok(None);
                };
                let Some(kept) = store.pending_change(&self.test)? else {
                    return Ok(None);
                };
                Ok(Some(Pending {
                    snapshot: kept.to_snapshot().context(&self.test)?,
                    uuid: Some(kept.uuid),
                }))
            }
        }
    }

    /// The pending change beside the benchmark that it would replace.
    ///
    /// # Errors
    /// Also if nothing waits for a decision.
    pub(crate) fn change(&self) -> Result<Change> {
        let Some(pending) = self.pending()? else {
            return Err(Error::new(format!(
                "{} has no change that waits for a decision; `cargo tdg pending` lists those that do",
                self.test
            )));
        };
        Ok(Change::new(self.benchmark()?, pending, self.policy()))
    }

    /// How the test that left the change compares outputs. The store knows; without it, any difference
    /// counts.
    fn policy(&self) -> Policy {
        let kept = self.store().ok().flatten();
        let text = kept.and_then(|store| store.pending_policy(&self.test).ok().flatten());
        let policy = text.and_then(|text| Policy::parse(&text).ok());
        policy.unwrap_or_else(Policy::exact)
    }

    /// The store, if there is one yet: looking at it makes none.
    pub(crate) fn store(&self) -> Result<Option<Store>> {
        let directory = &self.package.settings.directory;
        match fs::exists(directory.join("store.db")) {
            Ok(true) => Ok(Some(Store::open(directory)?)),
            _ => Ok(None),
        }
    }
}
