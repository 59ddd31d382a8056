//! Reads a test's record from its storage.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use tdg_definition::Policy;
use tdg_definition::json::Value;
use tdg_engine::config::display_path;
use tdg_engine::output::RecordedOutputs;
use tdg_engine::snapshot::Snapshot;
use tdg_engine::store::{HistoryEntry, Store, Uuid};
use tdg_engine::{Takes, TestId};
use tdg_report::PendingPlace;

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

/// The location of the benchmark and the pending change.
#[derive(Clone, Debug)]
pub(super) enum Storage {
    /// In files, with a copy in the store.
    Files {
        benchmark: PathBuf,
        pending: PathBuf,
    },
    /// Only in the store.
    Store,
}

/// The outputs of a run that haven't been accepted yet.
#[derive(Debug)]
pub(crate) struct PendingOutputs {
    pub(crate) snapshot: Snapshot,
    /// The identifier in the store if the outputs have no file.
    pub(super) uuid: Option<Uuid>,
}

/// Returns the common members of JSON lines about a test and its snapshot file.
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
    /// Returns the common members of JSON lines about the test.
    pub(crate) fn json_members(&self) -> impl Iterator<Item = (&'static str, Value)> {
        json_members(&self.test, self.file().map(|_| self.location()))
    }

    /// Returns the location of the benchmark for messages.
    pub(crate) fn location(&self) -> String {
        match &self.storage {
            Storage::Files { benchmark, .. } => display_path(&self.package.root, benchmark),
            Storage::Store => "in the store".to_owned(),
        }
    }

    /// Returns the snapshot file, or `None` if the benchmark is only in the store.
    pub(crate) fn file(&self) -> Option<&Path> {
        match &self.storage {
            Storage::Files { benchmark, .. } => Some(benchmark),
            Storage::Store => None,
        }
    }

    /// Returns the location of pending outputs for reports.
    pub(crate) fn pending_location(&self) -> PendingPlace {
        match &self.storage {
            Storage::Files { pending, .. } => {
                PendingPlace::InFile(display_path(&self.package.root, pending))
            }
            Storage::Store => PendingPlace::InStore,
        }
    }

    /// Returns true if a change is pending.
    pub(crate) fn is_pending(&self) -> Result<bool> {
        match &self.storage {
            Storage::Files { pending, .. } => Ok(pending.is_file()),
            Storage::Store => Ok(self.pending()?.is_some()),
        }
    }

    /// Reads the benchmark, if any. If it is on a server, the expected outputs are missing until a
    /// run has fetched them.
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

    /// Reads the pending outputs, if any.
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

    /// Reads from the store how the run that left the pending change compared outputs. Without a
    /// store, any difference in any feature counts.
    pub(super) fn run_details(&self) -> RunDetails {
        let store = self.store().ok().flatten();
        let kept = store.and_then(|store| store.pending_details(&self.test).ok().flatten());
        let Some(kept) = kept else {
            return RunDetails {
                constants: self.package.constants(),
                ..RunDetails::default()
            };
        };
        let policy = kept.policy.and_then(|text| Policy::parse(&text).ok());
        RunDetails {
            policy: policy.unwrap_or_else(Policy::exact),
            takes: Takes::from_json(kept.takes.as_deref()),
            recorded_outputs: kept
                .recorded_outputs
                .and_then(|text| RecordedOutputs::from_text(&text)),
            constants: self.package.constants(),
        }
    }

    /// Returns the newest runs first, including stored runs of a pinned benchmark.
    pub(crate) fn history(&self, store: &Store, limit: usize) -> Result<Vec<HistoryEntry>> {
        // An unreadable file pins nothing.
        let file = self.file().and_then(|file| Snapshot::read(file).ok()?);
        Ok(store.history_with(&self.test, file.as_ref(), limit)?)
    }

    /// Opens the store if it exists; reading must not create one.
    pub(crate) fn store(&self) -> Result<Option<Store>> {
        Ok(store::open_existing(&self.package.settings)?)
    }
}
