//! The runs of a test.

use rusqlite::Row;
use uuid::Uuid;

use super::benchmark::{count, uuid};
use super::error::Problem;
use super::{Store, StoreError, rows};
use crate::checkout::Checkout;
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
    /// The commit and branch that ran.
    pub checkout: Checkout,
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
                     tolerance_use, assertion.commit_id, assertion.branch
                 FROM benchmark JOIN assertion ON assertion.benchmark = benchmark.id
                 WHERE benchmark.test = ?1 ORDER BY timestamp DESC, benchmark.id DESC, n DESC LIMIT ?2",
            )?;
            let assertions = statement.query_map((id, rows::count(limit)), assertion)?;
            assertions.map(|assertion| assertion?).collect()
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

/// The commit and branch in two columns.
pub(super) fn checkout(row: &Row<'_>, column: usize) -> rusqlite::Result<Checkout> {
    Ok(Checkout {
        commit: row.get(column)?,
        branch: row.get(column + 1)?,
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
        checkout: checkout(row, 8)?,
    }))
}
