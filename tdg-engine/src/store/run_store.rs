//! The part of the local store that a run needs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tdg_definition::Policy;

#[cfg(feature = "sqlite-system")]
use super::Store;
#[cfg(feature = "sqlite-system")]
use super::journal::Appended;
use super::journal::Journal;
use super::{
    Expected, RenamedFrom, ReplacedBenchmark, Run, STORE, StoreError, StoreProblem, directory,
};
use crate::snapshot::Snapshot;
use crate::test_id::TestId;

/// The local store as used by a run. The database is opened on demand, once per process. A build
/// without SQLite has none, but still keeps the history.
#[derive(Clone, Debug)]
pub struct RunStore {
    directory: PathBuf,
}

/// The name of the store in errors.
const FILE: &str = if cfg!(feature = "sqlite-system") {
    STORE
} else {
    "runs"
};

impl RunStore {
    /// Returns the store in a directory, usually `.tdg` in the root.
    pub fn at(directory: &Path) -> Self {
        Self {
            directory: directory.to_owned(),
        }
    }

    /// Returns the journal of a test; refuses a directory that is a link.
    fn journal(&self, test: &TestId) -> Result<Journal, Arc<StoreError>> {
        directory::refuse_link(&self.directory).map_err(|problem| self.error(problem))?;
        Ok(Journal::new(&self.directory, test))
    }

    fn error(&self, problem: StoreProblem) -> Arc<StoreError> {
        Arc::new(StoreError::new(&self.directory.join(FILE), problem))
    }
}

#[cfg(feature = "sqlite-system")]
impl RunStore {
    /// Returns the current benchmark of a test that has it only in the store. Its policy is `own`
    /// if the store has none.
    ///
    /// # Errors
    /// If the store or the benchmark can't be read.
    pub fn benchmark(
        &self,
        test: &TestId,
        own: &Policy,
    ) -> Result<Option<Snapshot>, Arc<StoreError>> {
        let store = self.open()?;
        let mut found = store.benchmark(test).map_err(Arc::new)?;
        if let Some(benchmark) = &mut found {
            let policy = &mut benchmark.policy;
            policy.get_or_insert_with(|| own.to_json().to_string());
        }
        let snapshot = found.map(|benchmark| benchmark.to_snapshot()).transpose();
        snapshot.map_err(|error| self.error(StoreProblem::Benchmark(error)))
    }

    /// Returns all tests that have a benchmark with these rows.
    ///
    /// # Errors
    /// If the store can't be read.
    pub fn tests_of_rows(&self, digest: &str) -> Result<Vec<TestId>, Arc<StoreError>> {
        self.open()?.tests_of_rows(digest).map_err(Arc::new)
    }

    /// Writes a run atomically; its test may have been renamed. Returns the benchmark that was
    /// [replaced](super::Committed::replaced).
    ///
    /// # Errors
    /// [`StoreProblem::Claimed`](super::StoreProblem::Claimed) if another function has the same
    /// identity; otherwise if the store can't be written.
    pub fn commit(
        &self,
        run: &Run<'_>,
        renamed: RenamedFrom<'_>,
    ) -> Result<Option<ReplacedBenchmark>, Arc<StoreError>> {
        let journal = self.journal(run.test)?;
        let appended = match run.only_extends_history() {
            true => journal.append(run, None),
            false => Ok(Appended::Unfit),
        };
        let moment = match appended {
            Ok(Appended::Written) => return Ok(None),
            Ok(Appended::Unfit) => None,
            Ok(Appended::Late(moment)) => Some(moment),
            Err(problem) => return Err(self.error(problem)),
        };
        let committed = self
            .open()?
            .commit_at(run, moment, renamed)
            .map_err(Arc::new)?;
        Ok(committed.replaced)
    }

    /// Returns the platforms on which runs of the test gave exactly these outputs.
    ///
    /// # Errors
    /// If the store can't be read.
    pub fn platforms(
        &self,
        test: &TestId,
        expected: &Expected<'_>,
    ) -> Result<Vec<(String, String)>, Arc<StoreError>> {
        match Store::open_existing(&self.directory)? {
            Some(store) => Ok(store.platforms(test, expected)?),
            None => Ok(Vec::new()),
        }
    }

    /// Returns the text stored under a key.
    ///
    /// # Errors
    /// If the store can't be read.
    pub fn downloaded(&self, key: &str) -> Result<Option<String>, Arc<StoreError>> {
        self.open()?.downloaded(key).map_err(Arc::new)
    }

    /// Stores a text under a key that identifies it.
    ///
    /// # Errors
    /// If the store can't be written.
    pub fn keep_download(&self, key: &str, text: &str) -> Result<(), Arc<StoreError>> {
        self.open()?.keep_download(key, text).map_err(Arc::new)
    }

    fn open(&self) -> Result<Arc<Store>, Arc<StoreError>> {
        Store::shared(&self.directory)
    }
}

/// Without SQLite, runs are kept in journals, and everything else is unavailable.
#[cfg(not(feature = "sqlite-system"))]
impl RunStore {
    /// Returns `None`: without a database, the store has no benchmarks.
    ///
    /// # Errors
    /// Never.
    pub fn benchmark(&self, _: &TestId, _: &Policy) -> Result<Option<Snapshot>, Arc<StoreError>> {
        Ok(None)
    }

    /// Returns no tests.
    ///
    /// # Errors
    /// Never.
    pub fn tests_of_rows(&self, _: &str) -> Result<Vec<TestId>, Arc<StoreError>> {
        Ok(Vec::new())
    }

    /// Writes a run atomically.
    ///
    /// # Errors
    /// [`StoreProblem::Claimed`](super::StoreProblem::Claimed) if another function has the same
    /// identity; otherwise if the journal can't be written.
    pub fn commit(
        &self,
        run: &Run<'_>,
        _: RenamedFrom<'_>,
    ) -> Result<Option<ReplacedBenchmark>, Arc<StoreError>> {
        let recorded = self.journal(run.test)?.record(run);
        recorded.map_err(|problem| self.error(problem))?;
        Ok(None)
    }

    /// Returns no platforms.
    ///
    /// # Errors
    /// Never.
    pub fn platforms(
        &self,
        _: &TestId,
        _: &Expected<'_>,
    ) -> Result<Vec<(String, String)>, Arc<StoreError>> {
        Ok(Vec::new())
    }

    /// Returns `None`.
    ///
    /// # Errors
    /// Never.
    pub fn downloaded(&self, _: &str) -> Result<Option<String>, Arc<StoreError>> {
        Ok(None)
    }

    /// Discards the text.
    ///
    /// # Errors
    /// Never.
    pub fn keep_download(&self, _: &str, _: &str) -> Result<(), Arc<StoreError>> {
        Ok(())
    }
}
