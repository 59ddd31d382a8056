//! Pending changes.

use rusqlite::params;

use uuid::Uuid;

use super::benchmark::uuid;
use super::rows::{self, first};
use super::{Benchmark, Store, StoreError, history};
use crate::test_id::TestId;

/// A test with a pending change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingChange {
    /// The test.
    pub test: TestId,
    /// The change, which a decision names.
    pub uuid: Uuid,
    /// When the run left it, in milliseconds since 1970 UTC.
    pub added: i64,
}

impl Store {
    /// The pending change of a test.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn pending_change(&self, test: &TestId) -> Result<Option<Benchmark>, StoreError> {
        self.benchmark_of(
            test,
            "SELECT it.uuid, it.added, NULL, ensemble.uuid, ensemble.name, ensemble.size,
                 ensemble.seed, ensemble.sampler_version, ensemble.digest, definition.text,
                 ensemble.vectors, it.outputs
             FROM pending AS it
             JOIN ensemble ON ensemble.id = it.ensemble
             JOIN definition ON definition.id = ensemble.definition
             WHERE it.test = ?1",
        )
    }

    /// The policy of the test that left the pending change, as
    /// [JSON](tdg_definition::Policy::to_json), if known.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn pending_policy(&self, test: &TestId) -> Result<Option<String>, StoreError> {
        self.read(|connection| {
            let Some(id) = rows::find_test(connection, test)? else {
                return Ok(None);
            };
            let policy = "SELECT policy FROM pending WHERE test = ?1";
            Ok(first(connection, policy, params![id], |row| row.get(0))?.flatten())
        })
    }

    /// Every test with a pending change, by package, source file and name.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn pending_changes(&self) -> Result<Vec<PendingChange>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare(
                "SELECT project.name, test.source, test.name, pending.uuid, pending.added
                 FROM pending JOIN test ON test.id = pending.test
                 JOIN project ON project.id = test.project
                 ORDER BY project.name, test.source, test.name",
            )?;
            let changes = statement.query_map([], |row| {
                Ok(PendingChange {
                    test: history::test(row, 0)?,
                    uuid: uuid(row, 3)?,
                    added: row.get(4)?,
                })
            })?;
            Ok(changes.collect::<Result<_, _>>()?)
        })
    }
}
