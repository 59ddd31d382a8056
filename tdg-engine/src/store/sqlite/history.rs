//! The history of a test: its runs and its benchmarks.

use rusqlite::Row;
use uuid::Uuid;

use super::benchmark::{count, uuid};
use super::error::Problem;
use super::{Store, StoreError, rows};
use crate::test_id::TestId;
use crate::verdict::Verdict;

/// One entry of a history.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertion {
    /// Its identifier.
    pub uuid: Uuid,
    /// The benchmark that the run was compared with.
    pub benchmark: Uuid,
    /// The time, in milliseconds since 1970 UTC.
    pub timestamp: i64,
    /// Whether the outputs were as expected.
    pub asserted: bool,
    /// The verdict of the run.
    pub verdict: Verdict,
    /// The number of cases.
    pub cases: usize,
    /// The number of cases that differed.
    pub changed: usize,
    /// The largest share of the tolerance that a case used.
    pub tolerance_use: Option<f64>,
}

/// The time and reason of a test's benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The benchmark.
    pub benchmark: Uuid,
    /// When it was recorded or accepted, in milliseconds since 1970 UTC.
    pub added: i64,
    /// The reason, if given.
    pub reason: Option<String>,
}

impl Store {
    /// The newest `limit` assertions of a test, newest first, over all of its benchmarks.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn history(&self, test: &TestId, limit: usize) -> Result<Vec<Assertion>, StoreError> {
        self.read(|connection| {
            let Some(id) = rows::find_test(connection, test)? else { return Ok(Vec::new()) };
            let mut statement = connection.prepare("SELECT assertion.uuid, benchmark.uuid, timestamp, asserted, verdict, cases, changed,
                     tolerance_use
                 FROM benchmark JOIN assertion ON assertion.benchmark = benchmark.id
                 WHERE benchmark.test = ?1 ORDER BY timestamp DESC, benchmark.id DESC, n DESC LIMIT ?2",
            )?;
            let assertions = statement.query_map((id, rows::count(limit)), assertion)?;
            assertions.map(|assertion| assertion?).collect()
        })
    }

    /// Every benchmark of a test, past and present, newest first.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn decisions(&self, test: &TestId) -> Result<Vec<Decision>, StoreError> {
        self.read(|connection| {
            let Some(id) = rows::find_test(connection, test)? else { return Ok(Vec::new()) };
            let mut statement = connection.prepare("SELECT uuid, added, reason FROM benchmark WHERE test = ?1 ORDER BY added DESC, id DESC",
            )?;
            let decisions = statement.query_map([id], |row| {
                Ok(Decision {
                    benchmark: uuid(row, 0)?,
                    added: row.get(1)?,
                    reason: row.get(2)?,
                })
            })?;
            Ok(decisions.collect::<Result<_, _>>()?)
        })
    }

    /// Every test that has a benchmark, by package, source file and name.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn tests(&self) -> Result<Vec<TestId>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare(
                "SELECT project.name, test.source, test.name
                 FROM test JOIN project ON project.id = test.project
                 WHERE test.benchmark IS NOT NULL
                 ORDER BY project.name, test.source, test.name",
            )?;
            let tests = statement.query_map([], |row| test(row, 0))?;
            Ok(tests.collect::<Result<_, _>>()?)
        })
    }
}

pub(super) fn test(row: &Row<'_>, column: usize) -> rusqlite::Result<TestId> {
    Ok(TestId {
        package: row.get(column)?,
        source: row.get(column + 1)?,
        name: row.get(column + 2)?,
    })
}

fn assertion(row: &Row<'_>) -> rusqlite::Result<Result<Assertion, Problem>> {
    let word: String = row.get(4)?;
    let verdict = match word.parse::<Verdict>() {
        Ok(verdict) => verdict,
        Err(error) => return Ok(Err(Problem::Corrupt(error.into()))),
    };
    Ok(Ok(Assertion {
        uuid: uuid(row, 0)?,
        benchmark: uuid(row, 1)?,
        timestamp: row.get(2)?,
        asserted: row.get(3)?,
        verdict,
        cases: count(row, 5)?,
        changed: count(row, 6)?,
        tolerance_use: row.get(7)?,
    }))
}
