//! What the store knows of a test.

use rusqlite::Row;
use uuid::Uuid;

use super::{
    Store, StoreError,
    error::Problem,
    rows::{self, first},
};
use crate::{ensemble::Ensemble, test::Test, verdict::Verdict};

/// A benchmark, or a pending change that would become one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Benchmark {
    /// Its identifier; also what a decision about a pending change names.
    pub uuid: Uuid,
    /// When it was made, in milliseconds since 1970 UTC.
    pub added: i64,
    /// Why, if somebody said so.
    pub reason: Option<String>,
    /// The identifier of its ensemble.
    pub ensemble_uuid: Uuid,
    /// The rows it belongs to.
    pub ensemble: Ensemble,
    /// The rows as JSON, where the store holds them.
    pub vectors: Option<String>,
    /// The outputs as a JSON array, one for each row.
    pub outputs: String,
}

/// One entry of a history.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertion {
    /// Its identifier.
    pub uuid: Uuid,
    /// The benchmark that the run was compared with.
    pub benchmark: Uuid,
    /// When, in milliseconds since 1970 UTC.
    pub timestamp: i64,
    /// Whether the outputs were as expected.
    pub asserted: bool,
    /// What the run came to.
    pub verdict: Verdict,
    /// How many cases ran.
    pub cases: usize,
    /// How many of them differed.
    pub changed: usize,
    /// The largest share of the tolerance that a case used.
    pub tolerance_use: Option<f64>,
}

/// A test with a change that waits for a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The test.
    pub test: Test,
    /// The change.
    pub change: Uuid,
    /// Since when, in milliseconds since 1970 UTC.
    pub added: i64,
}

/// When and why a test got a benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The benchmark.
    pub benchmark: Uuid,
    /// When it was recorded or accepted first, in milliseconds since 1970 UTC.
    pub added: i64,
    /// Why, if somebody said so.
    pub reason: Option<String>,
}

impl Store {
    /// The current benchmark of a test.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn benchmark(&self, test: &Test) -> Result<Option<Benchmark>, StoreError> {
        self.benchmark_of(
            test,
            "SELECT it.uuid, it.added, it.reason, ensemble.uuid, ensemble.name, ensemble.size,
                 ensemble.seed, ensemble.sampler_version, ensemble.digest, definition.text,
                 ensemble.vectors, it.outputs
             FROM test JOIN benchmark AS it ON it.id = test.benchmark
             JOIN ensemble ON ensemble.id = it.ensemble
             JOIN definition ON definition.id = ensemble.definition
             WHERE test.id = ?1",
        )
    }

    /// The pending change of a test.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn change(&self, test: &Test) -> Result<Option<Benchmark>, StoreError> {
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
    /// [policy's JSON](crate::compare::Policy::to_json), if that is known.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn policy(&self, test: &Test) -> Result<Option<String>, StoreError> {
        self.read(|connection| {
            let Some(id) = rows::find_test(connection, test)? else {
                return Ok(None);
            };
            let policy = "SELECT policy FROM pending WHERE test = ?1";
            Ok(first(connection, policy, [id], |row| row.get(0))?.flatten())
        })
    }

    fn benchmark_of(&self, test: &Test, sql: &str) -> Result<Option<Benchmark>, StoreError> {
        self.read(|connection| match rows::find_test(connection, test)? {
            Some(id) => first(connection, sql, [id], benchmark),
            None => Ok(None),
        })
    }

    /// The newest `limit` assertions of a test, newest first, whichever of its benchmarks they belong
    /// to.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn history(&self, test: &Test, limit: usize) -> Result<Vec<Assertion>, StoreError> {
        self.read(|connection| {
            let Some(id) = rows::find_test(connection, test)? else { return Ok(Vec::new()) };
            let mut statement = connection.prepare_cached(
                "SELECT assertion.uuid, benchmark.uuid, timestamp, asserted, verdict, cases, changed,
                     tolerance_use
                 FROM benchmark JOIN assertion ON assertion.benchmark = benchmark.id
                 WHERE benchmark.test = ?1 ORDER BY timestamp DESC, benchmark.id DESC, n DESC LIMIT ?2",
            )?;
            let assertions = statement.query_map((id, rows::count(limit)), assertion)?;
            assertions.map(|assertion| assertion?).collect()
        })
    }

    /// Every benchmark that a test has or had, newest first.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn decisions(&self, test: &Test) -> Result<Vec<Decision>, StoreError> {
        self.read(|connection| {
            let Some(id) = rows::find_test(connection, test)? else { return Ok(Vec::new()) };
            let mut statement = connection.prepare_cached(
                "SELECT uuid, added, reason FROM benchmark WHERE test = ?1 ORDER BY added DESC, id DESC",
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
    pub fn tests(&self) -> Result<Vec<Test>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT project.name, test.source, test.name
                 FROM test JOIN project ON project.id = test.project
                 WHERE test.benchmark IS NOT NULL
                 ORDER BY project.name, test.source, test.name",
            )?;
            let tests = statement.query_map([], |row| test(row, 0))?;
            Ok(tests.collect::<Result<_, _>>()?)
        })
    }

    /// Every test with a pending change, by package, source file and name.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn pending(&self) -> Result<Vec<Waiting>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT project.name, test.source, test.name, pending.uuid, pending.added
                 FROM pending JOIN test ON test.id = pending.test
                 JOIN project ON project.id = test.project
                 ORDER BY project.name, test.source, test.name",
            )?;
            let waiting = statement.query_map([], |row| {
                Ok(Waiting {
                    test: test(row, 0)?,
                    change: uuid(row, 3)?,
                    added: row.get(4)?,
                })
            })?;
            Ok(waiting.collect::<Result<_, _>>()?)
        })
    }
}

fn test(row: &Row<'_>, column: usize) -> rusqlite::Result<Test> {
    Ok(Test {
        package: row.get(column)?,
        source: row.get(column + 1)?,
        name: row.get(column + 2)?,
    })
}

fn benchmark(row: &Row<'_>) -> rusqlite::Result<Benchmark> {
    Ok(Benchmark {
        uuid: uuid(row, 0)?,
        added: row.get(1)?,
        reason: row.get(2)?,
        ensemble_uuid: uuid(row, 3)?,
        ensemble: Ensemble {
            name: row.get(4)?,
            size: count(row, 5)?,
            seed: row.get::<_, i64>(6)?.cast_unsigned(),
            sampler_version: row.get(7)?,
            digest: row.get(8)?,
            definition: row.get(9)?,
        },
        vectors: row.get(10)?,
        outputs: row.get(11)?,
    })
}

fn assertion(row: &Row<'_>) -> rusqlite::Result<Result<Assertion, Problem>> {
    let word: String = row.get(4)?;
    let Some(verdict) = Verdict::from_word(&word) else {
        return Ok(Err(Problem::Corrupt(format!("it has a verdict `{word}`"))));
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

fn uuid(row: &Row<'_>, column: usize) -> rusqlite::Result<Uuid> {
    Ok(Uuid::from_bytes(row.get(column)?))
}

fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<usize> {
    Ok(usize::try_from(row.get::<_, i64>(column)?).unwrap_or(0))
}
