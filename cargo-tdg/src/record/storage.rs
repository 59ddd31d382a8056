//! Where a test's record is stored, and reading it.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use tdg_definition::Policy;
use tdg_definition::json::Value;
use tdg_engine::config::display_path;
use tdg_engine::output::RecordedOutputs;
use tdg_report::PendingPlace;
use tdg_engine::snapshot::Snapshot;
use tdg_engine::store::{HistoryEntry, Store, Uuid};
use tdg_engine::{Takes, TestId};

use super::run_details::RunDetails;
use crate::error::{Context as _, Result};
use crate::store;
use crate::workspace::Package;

/// A test with its benchmark, its pending change and its history.
#[derive(Clone, Debug)]
pub(crate) struct RecordedTest {
    pub(crate) test: TestId,
    pub(crate) package: Rc<Package>,
    pub(super) storage: Storage,
}

/// Where the benchmark and the pending change are.
#[derive(Clone, Debug)]
pub(super) enum Storage {
    /// In files, which the store follows.
    Files {
        benchmark: PathBuf,
        pending: PathBuf,
    },
    /// In the store alone.
    Store,
}

/// The outputs of a run that are not accepted yet.
#[derive(Debug)]
pub(crate) struct PendingOutputs {
    pub(crate) snapshot: Snapshot,
    /// Its identifier in the store, if it has no file.
    pub(super) uuid: Option<Uuid>,
}

/// The members of a JSON line about a test and its snapshot file.
pub(crate) fn json_members(
    test: &TestId,
    snapshot: Option<String>,
) -> impl Iterator<Item = (&'static str, Value)> {
    let members = [
        ("test", Value::from(test.name.as_str())),
        ("package", Value::from(test.package.as_str())),
        ("source", Value::from(test.source.as_str())),
        ("snapshot", Value::from(snapshot)),
    ];
    members.into_iter()
}

impl RecordedTest {
    /// The members of a JSON line about its test and snapshot file.
    pub(crate) fn json_members(&self) -> impl Iterator<Item = (&'static str, Value)> {
        json_members(&self.test, self.file().map(|_| self.location()))
    }

    /// Where the benchmark is, for messages.
    pub(crate) fn location(&self) -> String {
        match &self.storage {
            Storage::Files { benchmark, .. } => display_path(&self.package.root, benchmark),
            Storage::Store => "in the store".to_owned(),
        }
    }

    /// The snapshot file, unless the benchmark is in the store alone.
    pub(crate) fn file(&self) -> Option<&Path> {
        match &self.storage {
            Storage::Files { benchmark, .. } => Some(benchmark),
            Storage::Store => None,
        }
    }

    /// Where pending outputs are, for reports.
    pub(crate) fn pending_location(&self) -> PendingPlace {
        match &self.storage {
            Storage::Files { pending, .. } => {
                PendingPlace::InFile(display_path(&self.package.root, pending))
            }
            Storage::Store => PendingPlace::InStore,
        }
    }

    /// Whether there is a pending change.
    pub(crate) fn is_pending(&self) -> Result<bool> {
        match &self.storage {
            Storage::Files { pending, .. } => Ok(pending.is_file()),
            Storage::Store => Ok(self.pending()?.is_some()),
        }
    }

    /// The benchmark, if there is one. The expected outputs of one on a server are there once a run
    /// has fetched them.
    pub(crate) fn benchmark(&self) -> Result<Option<Snapshot>> {
        match &self.storage {
            Storage::Files { benchmark, .. } => match Snapshot::read(benchmark)? {
                Some(file) if file.pin().is_some() => {
                    let kept = match self.store()? {
                        Some(store) => store.pinned(&file)?,
                        None => None,
                    };
                    Ok(Some(kept.unwrap_or(file)))
                }
                found => Ok(found),
            },
            Storage::Store => match self.store()? {
                Some(store) => Ok(match store.benchmark(&self.test)? {
                    Some(kept) => Some(kept.to_snapshot().context(&self.test)?),
                    None => None,
                }),
                None => Ok(None),
            },
        }
    }

    /// The pending outputs, if there are any.
    pub(crate) fn pending(&self) -> Result<Option<PendingOutputs>> {
        match &self.storage {
            Storage::Files { pending, .. } => {
                let snapshot = Snapshot::read(pending)?;
                Ok(snapshot.map(|snapshot| PendingOutputs {
                    snapshot,
                    uuid: None,
                }))
            }
            Storage::Store => {
                let Some(store) = self.store()? else {
                    return Ok(None);
                };
                let Some(kept) = store.pending_change(&self.test)? else {
                    return Ok(None);
                };
                Ok(Some(PendingOutputs {
                    snapshot: kept.to_snapshot().context(&self.test)?,
                    uuid: Some(kept.uuid),
                }))
            }
        }
    }

    /// How the run that left the pending change compared outputs, from the store; without a store,
    /// any difference in any feature counts.
    pub(super) fn run_details(&self) -> RunDetails {
        let store = self.store().ok().flatten();
        let kept = store.and_then(|store| store.pending_details(&self.test).ok().flatten());
        let Some(kept) = kept else {
            return RunDetails::default();
        };
        let policy = kept.policy.and_then(|text| Policy::parse(&text).ok());
        RunDetails {
            policy: policy.unwrap_or_else(Policy::exact),
            takes: Takes::from_json(kept.takes.as_deref()),
            recorded_outputs: kept
                .recorded_outputs
                .and_then(|text| RecordedOutputs::from_text(&text)),
        }
    }

    /// The newest runs, newest first, with those that the store has of a pinned benchmark.
    pub(crate) fn history(&self, store: &Store, limit: usize) -> Result<Vec<HistoryEntry>> {
        // A file that can't be read pins nothing.
        let file = self.file().and_then(|file| Snapshot::read(file).ok()?);
        Ok(store.history_with(&self.test, file.as_ref(), limit)?)
    }

    /// The store, if it exists: reading must not create one.
    pub(crate) fn store(&self) -> Result<Option<Store>> {
        Ok(store::open_existing(&self.package.settings)?)
    }
}
