//! The runs of a test.

use std::collections::BTreeSet;

use rusqlite::{Row, Transaction, params};
use uuid::Uuid;

use super::benchmark::uuid;
use super::error::StoreProblem;
use super::rows::{self, RowId, all, execute, value};
use super::{Expected, RunFacts, Store, StoreError};
use crate::snapshot::Snapshot;
use crate::test_id::TestId;
use crate::verdict::Verdict;

/// The minimum number of assertions that are kept for a benchmark: the newest local ones, and the
/// newest pulled ones. Runs of others thus never displace local ones.
pub const HISTORY: i64 = 1000;

/// One entry of a history.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryEntry {
    /// The identifier.
    pub uuid: Uuid,
    /// The benchmark that the run was compared with.
    pub benchmark: Uuid,
    /// The time, in microseconds since 1970 UTC.
    pub timestamp: i64,
    /// True if the outputs were as expected.
    pub asserted: bool,
    /// The facts of the run, or `None` if a server compared the outputs without knowing the test.
    pub facts: Option<RunFacts>,
    /// The URL of the server that it was pulled from, if any.
    pub origin: Option<String>,
}

impl HistoryEntry {
    /// Returns the verdict of the run, or the result of a server's comparison.
    pub fn verdict(&self) -> Verdict {
        match (&self.facts, self.asserted) {
            (Some(facts), _) => facts.verdict,
            (None, true) => Verdict::Same,
            (None, false) => Verdict::Changed,
        }
    }
}

/// The query for the columns that [`assertion`] reads.
pub(super) const ASSERTIONS: &str =
    "SELECT assertion.uuid, benchmark.uuid, timestamp, asserted, facts, origin
     FROM benchmark JOIN assertion ON assertion.benchmark = benchmark.id";

/// Selects the benchmarks of a test, and test-less ones with the same rows and outputs: a server
/// compares outputs by the pinned digests, without knowing the test.
const OF_TEST: &str = "benchmark.id IN (
     SELECT id FROM benchmark WHERE test = ?1
     UNION ALL
     SELECT other.id FROM benchmark AS other JOIN ensemble ON ensemble.id = other.ensemble
     WHERE other.test IS NULL AND (ensemble.digest, other.digest) IN (
         VALUES (?2, ?3)
         UNION ALL
         SELECT ensemble.digest, own.digest
         FROM benchmark AS own JOIN ensemble ON ensemble.id = own.ensemble
         WHERE own.test = ?1))";

impl Store {
    /// Returns the platforms on which runs of the test gave exactly these outputs, as operating
    /// system and architecture.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn platforms(
        &self,
        test: &TestId,
        expected: &Expected<'_>,
    ) -> Result<Vec<(String, String)>, StoreError> {
        self.read(|connection| {
            let Some(id) = rows::find_test(connection, test)? else {
                return Ok(Vec::new());
            };
            let sql = "SELECT facts
                 FROM benchmark JOIN ensemble ON ensemble.id = benchmark.ensemble
                 JOIN assertion ON assertion.benchmark = benchmark.id
                 WHERE benchmark.test = ?1 AND ensemble.digest = ?2 AND benchmark.outputs = ?3";
            let params = params![id, expected.ensemble.digest, expected.outputs];
            let mut platforms = BTreeSet::new();
            for run in all(connection, sql, params, |row| facts(row, 0))? {
                let gave_these = |run: &RunFacts| {
                    matches!(run.verdict, Verdict::Recorded | Verdict::Same)
                        && run.changed == 0
                        && run.tolerance_use.unwrap_or_default() == 0.0
                };
                let run = run.filter(gave_these);
                platforms.extend(run.and_then(|run| run.platform));
            }
            Ok(platforms.into_iter().collect())
        })
    }

    /// Returns the newest `limit` assertions of a test, newest first, over all of its benchmarks.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn history(&self, test: &TestId, limit: usize) -> Result<Vec<HistoryEntry>, StoreError> {
        self.history_with(test, None, limit)
    }

    /// Like [`history`](Self::history), with the assertions of the benchmark that the file pins.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn history_with(
        &self,
        test: &TestId,
        file: Option<&Snapshot>,
        limit: usize,
    ) -> Result<Vec<HistoryEntry>, StoreError> {
        let pinned = file.and_then(|file| Some((&file.ensemble().digest, &file.pin()?.digest)));
        let (rows, outputs) = pinned.unzip();
        self.read(|connection| {
            let id = rows::find_test(connection, test)?;
            let sql = format!(
                "{ASSERTIONS} WHERE {OF_TEST}
                 ORDER BY timestamp DESC, assertion.uuid DESC LIMIT ?4"
            );
            let params = params![id, rows, outputs, rows::count(limit)];
            all(connection, &sql, params, assertion)
        })
    }

    /// Returns all tests that have a benchmark, by package, source file and name.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn tests(&self) -> Result<Vec<TestId>, StoreError> {
        self.tests_of(None)
    }

    /// Like [`tests`](Self::tests), but only returns tests with a benchmark for these rows.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn tests_of_rows(&self, digest: &str) -> Result<Vec<TestId>, StoreError> {
        self.tests_of(Some(digest))
    }

    fn tests_of(&self, digest: Option<&str>) -> Result<Vec<TestId>, StoreError> {
        self.read(|connection| {
            let sql = "SELECT project.name, test.source, test.name
                 FROM test JOIN project ON project.id = test.project
                     JOIN benchmark ON benchmark.id = test.benchmark
                     JOIN ensemble ON ensemble.id = benchmark.ensemble
                 WHERE ?1 IS NULL OR ensemble.digest = ?1
                 ORDER BY project.name, test.source, test.name";
            all(connection, sql, params![digest], |row| test(row, 0))
        })
    }
}

pub(super) fn test(row: &Row<'_>, column: usize) -> Result<TestId, StoreProblem> {
    Ok(TestId {
        package: row.get(column)?,
        source: row.get(column + 1)?,
        name: row.get(column + 2)?,
    })
}

pub(super) fn assertion(row: &Row<'_>) -> Result<HistoryEntry, StoreProblem> {
    Ok(HistoryEntry {
        uuid: uuid(row, 0)?,
        benchmark: uuid(row, 1)?,
        timestamp: row.get(2)?,
        asserted: row.get(3)?,
        facts: facts(row, 4)?,
        origin: row.get(5)?,
    })
}

/// Reads the facts of a run from a column, if any.
pub(super) fn facts(row: &Row<'_>, column: usize) -> Result<Option<RunFacts>, StoreProblem> {
    let text: Option<String> = row.get(column)?;
    let facts = text.as_deref().map(RunFacts::parse).transpose();
    facts.map_err(StoreProblem::Corrupt)
}

/// Returns the time of the newest local assertion of a benchmark.
pub(super) fn newest_of_here(
    transaction: &Transaction<'_>,
    benchmark: RowId,
) -> Result<i64, StoreProblem> {
    let newest = "SELECT timestamp FROM assertion WHERE benchmark = ?1 AND origin IS NULL
                  ORDER BY timestamp DESC LIMIT 1";
    Ok(value(transaction, newest, params![benchmark])?.unwrap_or_default())
}

/// Removes the oldest assertions of a benchmark past the limits, all of the same time together, and
/// writes its number of assertions so far to the newest one.
pub(super) fn settle(
    transaction: &Transaction<'_>,
    benchmark: RowId,
    had: i64,
) -> Result<(), StoreProblem> {
    let oldest = "DELETE FROM assertion
        WHERE benchmark = ?1 AND (origin IS NULL) = ?2 AND timestamp <
            (SELECT timestamp FROM assertion WHERE benchmark = ?1 AND (origin IS NULL) = ?2
             ORDER BY timestamp DESC LIMIT 1 OFFSET ?3)";
    for is_of_here in [true, false] {
        execute(
            transaction,
            oldest,
            params![benchmark, is_of_here, HISTORY - 1],
        )?;
    }
    let newest = "UPDATE assertion SET n = ?2 WHERE benchmark = ?1 AND (timestamp, uuid) =
        (SELECT timestamp, uuid FROM assertion WHERE benchmark = ?1
         ORDER BY timestamp DESC, uuid DESC LIMIT 1)";
    execute(transaction, newest, params![benchmark, had]).map(drop)
}
