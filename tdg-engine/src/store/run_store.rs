//! The part of the local store that a run needs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(feature = "sqlite-system")]
use super::Store;
#[cfg(feature = "sqlite-system")]
use super::journal::Appended;
use super::journal::Journal;
use super::{Former, Problem, Run, STORE, StoreError};
use crate::snapshot::Snapshot;
use crate::test_id::TestId;

/// The local store as a run uses it. The database is opened, once per process, when it is needed;
/// a build without SQLite has none, and keeps the history all the same.
#[derive(Clone, Debug)]
pub struct RunStore {
    directory: PathBuf,
}

/// What errors call the store.
const FILE: &str = if cfg!(feature = "sqlite-system") {
    STORE
} else {
    "runs"
};

type Result<T> = std::result::Result<T, Arc<StoreError>>;

impl RunStore {
    /// The store in a directory, usually `.tdg` in the root.
    pub fn at(directory: &Path) -> Self {
        Self {
            directory: directory.to_owned(),
        }
    }

    fn error(&self, problem: Problem) -> Arc<StoreError> {
        Arc::new(StoreError::new(&self.directory.join(FILE), problem))
    }
}

#[cfg(feature = "sqlite-system")]
impl RunStore {
    /// The current benchmark of a test whose benchmark is in the store alone.
    ///
    /// # Errors
    /// When the store or the benchmark can't be read.
    pub fn benchmark(&self, test: &TestId) -> Result<Option<Snapshot>> {
        let store = self.open()?;
        let found = store.benchmark(test).map_err(Arc::new)?;
        let snapshot = found.map(|benchmark| benchmark.to_snapshot()).transpose();
        snapshot.map_err(|error| self.error(Problem::Benchmark(error)))
    }

    /// Writes a run, whole or not at all. Returns what was another before it.
    ///
    /// # Errors
    /// [`Problem::Claimed`](super::Problem::Claimed) if another function has the same identity;
    /// else when the store can't be written.
    pub fn commit(&self, run: &Run<'_>) -> Result<Former> {
        let journal = Journal::of(&self.directory, run.test);
        let appended = match run.only_extends_history() {
            true => journal.append(run, None),
            false => Ok(Appended::Unfit),
        };
        let moment = match appended {
            Ok(Appended::Written) => return Ok(Former::default()),
            Ok(Appended::Unfit) => None,
            Ok(Appended::Late(moment)) => Some(moment),
            Err(problem) => return Err(self.error(problem)),
        };
        let committed = self.open()?.commit_at(run, moment).map_err(Arc::new)?;
        Ok(committed.former)
    }

    /// The text kept under that key.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn downloaded(&self, key: &str) -> Result<Option<String>> {
        self.open()?.downloaded(key).map_err(Arc::new)
    }

    /// Keeps a text under a key that identifies it.
    ///
    /// # Errors
    /// When the store can't be written.
    pub fn keep_download(&self, key: &str, text: &str) -> Result<()> {
        self.open()?.keep_download(key, text).map_err(Arc::new)
    }

    fn open(&self) -> Result<Arc<Store>> {
        Store::shared(&self.directory)
    }
}

/// Without SQLite, runs are in the journal, and what only a database can keep is not there.
#[cfg(not(feature = "sqlite-system"))]
impl RunStore {
    /// The current benchmark of a test whose benchmark is in the store alone.
    ///
    /// # Errors
    /// Never.
    pub fn benchmark(&self, _: &TestId) -> Result<Option<Snapshot>> {
        Ok(None)
    }

    /// Writes a run, whole or not at all. Returns what was another before it.
    ///
    /// # Errors
    /// [`Problem::Claimed`](super::Problem::Claimed) if another function has the same identity;
    /// else when the journal can't be written.
    pub fn commit(&self, run: &Run<'_>) -> Result<Former> {
        let recorded = Journal::of(&self.directory, run.test).record(run);
        let policy = recorded.map_err(|problem| self.error(problem))?;
        Ok(Former {
            policy,
            outputs: None,
        })
    }

    /// The text kept under that key.
    ///
    /// # Errors
    /// Never.
    pub fn downloaded(&self, _: &str) -> Result<Option<String>> {
        Ok(None)
    }

    /// Keeps a text under a key that identifies it.
    ///
    /// # Errors
    /// Never.
    pub fn keep_download(&self, _: &str, _: &str) -> Result<()> {
        Ok(())
    }
}
