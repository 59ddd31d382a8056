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

impl RunStore {
    /// The store in a directory, usually `.tdg` in the root.
    pub fn at(directory: &Path) -> Self {
        Self {
            directory: directory.to_owned(),
        }
    }

    /// The journal of a test, which is not where a link leads.
    fn journal(&self, test: &TestId) -> Result<Journal, Arc<StoreError>> {
        directory::refuse_link(&self.directory).map_err(|problem| self.error(problem))?;
        Ok(Journal::of(&self.directory, test))
    }

    fn error(&self, problem: StoreProblem) -> Arc<StoreError> {
        Arc::new(StoreError::new(&self.directory.join(FILE), problem))
    }
}

#[cfg(feature = "sqlite-system")]
impl RunStore {
    /// The current benchmark of a test whose benchmark is in the store alone, with the policy
    /// `own` if none is known of it.
    ///
    /// # Errors
    /// When the store or the benchmark can't be read.
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

    /// Every test that has a benchmark of these rows.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn tests_of_rows(&self, digest: &str) -> Result<Vec<TestId>, Arc<StoreError>> {
        self.open()?.tests_of_rows(digest).map_err(Arc::new)
    }

    /// Writes a run, whole or not at all, of a test that may have had another name. Returns the
    /// benchmark that was [replaced](super::Committed::replaced).
    ///
    /// # Errors
    /// [`StoreProblem::Claimed`](super::StoreProblem::Claimed) if another function has the same
    /// identity; else when the store can't be written.
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

    /// The platforms on which runs of the test gave exactly these outputs.
    ///
    /// # Errors
    /// When the store can't be read.
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

    /// The text kept under that key.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn downloaded(&self, key: &str) -> Result<Option<String>, Arc<StoreError>> {
        self.open()?.downloaded(key).map_err(Arc::new)
    }

    /// Keeps a text under a key that identifies it.
    ///
    /// # Errors
    /// When the store can't be written.
    pub fn keep_download(&self, key: &str, text: &str) -> Result<(), Arc<StoreError>> {
        self.open()?.keep_download(key, text).map_err(Arc::new)
    }

    fn open(&self) -> Result<Arc<Store>, Arc<StoreError>> {
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
    pub fn benchmark(&self, _: &TestId, _: &Policy) -> Result<Option<Snapshot>, Arc<StoreError>> {
        Ok(None)
    }

    /// Every test that has a benchmark of these rows.
    ///
    /// # Errors
    /// Never.
    pub fn tests_of_rows(&self, _: &str) -> Result<Vec<TestId>, Arc<StoreError>> {
        Ok(Vec::new())
    }

    /// Writes a run, whole or not at all.
    ///
    /// # Errors
    /// [`StoreProblem::Claimed`](super::StoreProblem::Claimed) if another function has the same
    /// identity; else when the journal can't be written.
    pub fn commit(
        &self,
        run: &Run<'_>,
        _: RenamedFrom<'_>,
    ) -> Result<Option<ReplacedBenchmark>, Arc<StoreError>> {
        let recorded = self.journal(run.test)?.record(run);
        recorded.map_err(|problem| self.error(problem))?;
        Ok(None)
    }

    /// The platforms on which runs of the test gave exactly these outputs: nobody knows.
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

    /// The text kept under that key.
    ///
    /// # Errors
    /// Never.
    pub fn downloaded(&self, _: &str) -> Result<Option<String>, Arc<StoreError>> {
        Ok(None)
    }

    /// Keeps a text under a key that identifies it.
    ///
    /// # Errors
    /// Never.
    pub fn keep_download(&self, _: &str, _: &str) -> Result<(), Arc<StoreError>> {
        Ok(())
    }
}
