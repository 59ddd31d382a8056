//! The changes that wait for a decision.

use rusqlite::params;

use uuid::Uuid;

use super::benchmark::uuid;
use super::rows::{self, first};
use super::{Benchmark, Store, StoreError, history};
use crate::test_id::TestId;

/// A test with a change that waits for a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The test.
    pub test: TestId,
    /// The change.
    pub change: Uuid,
    /// Since when, in milliseconds since 1970 UTC.
    pub added: i64,
}

impl Store {
    /// The pending change of a test.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn change(&self, test: &TestId) -> Result<Option<Benchmark>, StoreError> {
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

    /// How the test that left the pending change compares outputs, as a
    /// [policy's JSON](tdg_definition::Policy::to_json), if that is known.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn policy(&self, test: &TestId) -> Result<Option<String>, StoreError> {
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
    pub fn pending(&self) -> Result<Vec<Waiting>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare(
                "SELECT project.name, test.source, test.name, pending.uuid, pending.added
                 FROM pending JOIN test ON test.id = pending.test
                 JOIN project ON project.id = test.project
                 ORDER BY project.name, test.source, test.name",
            )?;
            let waiting = statement.query_map([], |row| {
                Ok(Waiting {
                    test: history::test(row, 0)?,
                    change: uuid(row, 3)?,
                    added: row.get(4)?,
                })
            })?;
            Ok(waiting.collect::<Result<_, _>>()?)
        })
    }
}
