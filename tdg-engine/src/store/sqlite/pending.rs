//! Pending changes.

use rusqlite::{Transaction, params};

use uuid::Uuid;

use super::benchmark::uuid;
use super::rows::{self, RowId, all, execute, first};
use super::{Expected, Store, StoreError, StoreProblem, StoredBenchmark, history};
use crate::ensemble::Ensemble;
use crate::output::digest;
use crate::test_id::TestId;

/// A test with a pending change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingTest {
    /// The test.
    pub test: TestId,
    /// The identifier of the change, used by decisions.
    pub uuid: Uuid,
    /// The time when the run left it, in microseconds since 1970 UTC.
    pub added: i64,
}

/// The details of a pending change, and when it was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingDetails {
    /// The identifier of the change, used by decisions.
    pub uuid: Uuid,
    /// The time when a command last showed it, in microseconds since 1970 UTC; `None` if at most
    /// the report of a failing test has shown it, or if a part was accepted since.
    pub shown: Option<i64>,
    /// The [identity](beside) of the benchmark that a command or a report compared it with; `None`
    /// if it would be the first one.
    pub shown_beside: Option<String>,
    /// The outputs that a command last showed, if they are different ones on the same rows.
    pub shown_outputs: Option<String>,
    /// The policy of the test as [JSON](tdg_definition::Policy::to_json), if known.
    pub policy: Option<String>,
    /// The names of the features that the function takes, as a JSON array; `None` if it takes all.
    pub takes: Option<String>,
    /// The outputs of the run on the rows of the benchmark, as
    /// [text](crate::output::RecordedOutputs::to_text); `None` if the change has the same rows.
    pub recorded_outputs: Option<String>,
}

impl Store {
    /// Returns the pending change of a test.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn pending_change(&self, test: &TestId) -> Result<Option<StoredBenchmark>, StoreError> {
        self.benchmark_of(
            test,
            "SELECT it.uuid, it.added, ensemble.uuid, ensemble.name, ensemble.size,
                 ensemble.seed, ensemble.sampler_version, ensemble.digest, definition.text,
                 ensemble.vectors, it.outputs, it.policy
             FROM pending AS it
             JOIN ensemble ON ensemble.id = it.ensemble
             JOIN definition ON definition.id = ensemble.definition
             WHERE it.test = ?1",
        )
    }

    /// Returns the pending change of a test without its rows and outputs.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn pending_details(&self, test: &TestId) -> Result<Option<PendingDetails>, StoreError> {
        self.read(|connection| {
            let Some(id) = rows::find_test(connection, test)? else {
                return Ok(None);
            };
            let details = "SELECT uuid, shown, shown_beside, policy, takes, recorded_outputs,
                               shown_outputs
                           FROM pending WHERE test = ?1";
            first(connection, details, params![id], |row| {
                Ok(PendingDetails {
                    uuid: uuid(row, 0)?,
                    shown: row.get(1)?,
                    shown_beside: row.get(2)?,
                    policy: row.get(3)?,
                    takes: row.get(4)?,
                    recorded_outputs: row.get(5)?,
                    shown_outputs: row.get(6)?,
                })
            })
        })
    }

    /// Notes that a command showed the pending change next to that benchmark, if `change` is still
    /// pending.
    ///
    /// # Errors
    ///
    /// When the store can't be written.
    pub fn mark_shown(&self, change: Uuid, beside: Option<&str>) -> Result<(), StoreError> {
        self.write(|transaction| {
            let shown = "UPDATE pending SET shown = ?2, shown_beside = ?3, shown_outputs = NULL
                         WHERE uuid = ?1";
            let params = params![change.as_bytes(), rows::now(), beside];
            execute(transaction, shown, params).map(drop)
        })
    }

    /// Returns all tests with a pending change, by package, source file and name.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn pending_changes(&self) -> Result<Vec<PendingTest>, StoreError> {
        self.read(|connection| {
            let sql = "SELECT project.name, test.source, test.name, pending.uuid, pending.added
                 FROM pending JOIN test ON test.id = pending.test
                 JOIN project ON project.id = test.project
                 ORDER BY project.name, test.source, test.name";
            all(connection, sql, &[], |row| {
                Ok(PendingTest {
                    test: history::test(row, 0)?,
                    uuid: uuid(row, 3)?,
                    added: row.get(4)?,
                })
            })
        })
    }
}

/// Returns the identity of a benchmark next to a change, from the digest of its outputs.
#[must_use]
pub fn beside(ensemble: &Ensemble, outputs: &str) -> String {
    format!("{} {outputs}", ensemble.digest)
}

/// Notes that the user has seen the change to that benchmark, though no command listed it.
pub(super) fn mark_seen(
    transaction: &Transaction<'_>,
    test: RowId,
    benchmark: &Expected<'_>,
) -> Result<(), StoreProblem> {
    let beside = beside(benchmark.ensemble, &digest(benchmark.outputs));
    let seen = "UPDATE pending SET shown = NULL, shown_beside = ?2
                WHERE test = ?1 AND shown_beside IS NOT ?2";
    execute(transaction, seen, params![test, beside]).map(drop)
}
