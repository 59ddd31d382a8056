//! The benchmarks of tests.

use rusqlite::{Row, params};
use uuid::Uuid;

use super::rows::{self, first};
use super::{Store, StoreError, StoreProblem};
use crate::ensemble::Ensemble;
use crate::test_id::TestId;

/// A benchmark, or a pending change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBenchmark {
    /// The identifier, which a decision about a pending change uses.
    pub uuid: Uuid,
    /// The creation time, in microseconds since 1970 UTC.
    pub added: i64,
    /// The identifier of its ensemble.
    pub ensemble_uuid: Uuid,
    /// The ensemble.
    pub ensemble: Ensemble,
    /// The rows as JSON, if the store has them.
    pub vectors: Option<String>,
    /// The outputs as a JSON array with an element for each row.
    pub outputs: String,
    /// The policy with which the test last recorded, accepted or passed with the outputs, as
    /// [JSON](tdg_definition::Policy::to_json), if known.
    pub policy: Option<String>,
}

impl Store {
    /// Returns the current benchmark of a test.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn benchmark(&self, test: &TestId) -> Result<Option<StoredBenchmark>, StoreError> {
        self.benchmark_of(
            test,
            "SELECT it.uuid, it.added, ensemble.uuid, ensemble.name, ensemble.size,
                 ensemble.seed, ensemble.sampler_version, ensemble.digest, definition.text,
                 ensemble.vectors, it.outputs, test.policy
             FROM test JOIN benchmark AS it ON it.id = test.benchmark
             JOIN ensemble ON ensemble.id = it.ensemble
             JOIN definition ON definition.id = ensemble.definition
             WHERE test.id = ?1",
        )
    }

    pub(super) fn benchmark_of(
        &self,
        test: &TestId,
        sql: &str,
    ) -> Result<Option<StoredBenchmark>, StoreError> {
        self.read(|connection| match rows::find_test(connection, test)? {
            Some(id) => first(connection, sql, params![id], benchmark),
            None => Ok(None),
        })
    }
}

fn benchmark(row: &Row<'_>) -> Result<StoredBenchmark, StoreProblem> {
    Ok(StoredBenchmark {
        uuid: uuid(row, 0)?,
        added: row.get(1)?,
        ensemble_uuid: uuid(row, 2)?,
        ensemble: Ensemble {
            name: row.get(3)?,
            size: count(row, 4)?,
            seed: row.get::<_, i64>(5)?.cast_unsigned(),
            sampler_version: row.get(6)?,
            digest: row.get(7)?,
            definition: row.get(8)?,
            rows: None,
        },
        vectors: row.get(9)?,
        outputs: row.get(10)?,
        policy: row.get(11)?,
    })
}

pub(super) fn uuid(row: &Row<'_>, column: usize) -> Result<Uuid, StoreProblem> {
    Ok(Uuid::from_bytes(row.get(column)?))
}

pub(super) fn count(row: &Row<'_>, column: usize) -> Result<usize, StoreProblem> {
    Ok(usize::try_from(row.get::<_, i64>(column)?).unwrap_or(0))
}
