//! Finding records in the store.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use rusqlite::{Row, Statement, params};
use uuid::Uuid;

use super::super::archive;
use super::super::benchmark::{count, uuid};
use super::super::error::StoreProblem;
use super::super::history::{self, HISTORY, test};
use super::super::rows::{self, Params, first};
use super::super::{StoreError, StoredDecision, decision};
use super::{AssertionRow, BenchmarkRow, EnsembleRow, Id, Tables, TombstoneRow};
use crate::test_id::TestId;

/// The location of a decision.
#[derive(Clone, Copy, Debug)]
pub struct DecisionPlace {
    /// The identifier.
    pub uuid: Uuid,
    /// The row of the test.
    pub test: Id,
    /// The time.
    pub time: i64,
    /// The row of the benchmark that resulted from it.
    pub benchmark: Option<Id>,
}

/// The history of a row of a benchmark.
#[derive(Clone, Copy, Debug, Default)]
pub struct HistoryOfRow {
    /// The number of assertions that it has had so far.
    pub had: i64,
    /// The time before which assertions were removed, if any.
    pub kept_since: Option<i64>,
}

impl Tables<'_> {
    /// Returns all definitions, with a random identifier that no other row gets.
    pub fn definitions(&self) -> Result<Vec<(Id, Uuid)>, StoreError> {
        let sql = "SELECT id, uuid FROM definition";
        self.all(sql, |row| Ok((row.get(0)?, uuid(row, 1)?)))
    }

    /// Returns the time when a definition was recorded, and its canonical text.
    pub fn definition(&self, id: Id) -> Result<Option<(i64, String)>, StoreError> {
        let sql = "SELECT added, text FROM definition WHERE id = ?1";
        self.one(sql, params![id], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Returns all ensembles.
    pub fn ensembles(&self) -> Result<Vec<EnsembleRow>, StoreError> {
        let sql = "SELECT id, definition, size, seed, sampler_version, digest, drawn,
                       vectors IS NOT NULL
                   FROM ensemble";
        self.all(sql, |row| {
            Ok(EnsembleRow {
                id: row.get(0)?,
                definition: row.get(1)?,
                size: count(row, 2)?,
                seed: row.get::<_, i64>(3)?.cast_unsigned(),
                sampler_version: row.get(4)?,
                digest: row.get(5)?,
                is_drawn: row.get(6)?,
                has_rows: row.get(7)?,
            })
        })
    }

    /// Returns the time when an ensemble was recorded, its name, and its rows as JSON.
    pub fn ensemble(&self, id: Id) -> Result<Option<(i64, String, Option<String>)>, StoreError> {
        let sql = "SELECT added, name, vectors FROM ensemble WHERE id = ?1";
        self.one(sql, params![id], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
    }

    /// Returns all tests.
    pub fn tests(&self) -> Result<Vec<(Id, TestId)>, StoreError> {
        let sql = "SELECT test.id, project.name, source, test.name
                   FROM test JOIN project ON project.id = test.project";
        self.all(sql, |row| Ok((row.get(0)?, test(row, 1)?)))
    }

    /// Returns all benchmarks, with a random identifier that no other row gets, and the digest of
    /// their outputs if known.
    pub fn benchmarks(&self) -> Result<Vec<(BenchmarkRow, Uuid, Option<String>)>, StoreError> {
        let sql = "SELECT id, ensemble, test, uuid, digest,
                       typeof(outputs) = 'blob' AND length(outputs) = 0
                   FROM benchmark";
        self.all(sql, |row| {
            let benchmark = BenchmarkRow {
                id: row.get(0)?,
                ensemble: row.get(1)?,
                test: row.get(2)?,
                has_outputs: !row.get::<_, bool>(5)?,
            };
            Ok((benchmark, uuid(row, 3)?, row.get(4)?))
        })
    }

    /// Returns the rows of all benchmarks that tests currently have.
    pub fn current_benchmarks(&self) -> Result<HashSet<Id>, StoreError> {
        let sql = "SELECT benchmark FROM test WHERE benchmark IS NOT NULL";
        Ok(self.all(sql, |row| Ok(row.get(0)?))?.into_iter().collect())
    }

    /// Returns the time when a benchmark was recorded, and its outputs as JSON; `None` if removed.
    pub fn benchmark(&self, id: Id) -> Result<Option<(i64, String)>, StoreError> {
        let sql = "SELECT added, outputs FROM benchmark WHERE id = ?1";
        let found = self.one(sql, params![id], |row| {
            let added = row.get(0)?;
            Ok(archive::outputs(row, 1)?.map(|outputs| (added, outputs)))
        })?;
        Ok(found.flatten())
    }

    /// Returns the locations of all decisions.
    pub fn decisions(&self) -> Result<Vec<DecisionPlace>, StoreError> {
        let sql = "SELECT uuid, test, time, benchmark FROM decision";
        self.all(sql, |row| {
            Ok(DecisionPlace {
                uuid: uuid(row, 0)?,
                test: row.get(1)?,
                time: row.get(2)?,
                benchmark: row.get(3)?,
            })
        })
    }

    /// Returns the decision at a location.
    pub fn decision(&self, place: DecisionPlace) -> Result<Option<StoredDecision>, StoreError> {
        let sql = format!(
            "{} WHERE decision.test = ?1 AND time = ?2 AND decision.uuid = ?3",
            decision::DECISIONS
        );
        let key = params![place.test, place.time, place.uuid.as_bytes()];
        self.one(&sql, key, decision::record)
    }

    /// Returns all tombstones.
    pub fn tombstones(&self) -> Result<Vec<TombstoneRow>, StoreError> {
        let sql = "SELECT uuid, kind, object, deleted, revived FROM tombstone";
        self.all(sql, |row| {
            Ok(TombstoneRow {
                uuid: uuid(row, 0)?,
                kind: row.get(1)?,
                object: uuid(row, 2)?,
                deleted: row.get(3)?,
                is_revived: row.get(4)?,
            })
        })
    }

    /// Returns the history of a benchmark's row.
    pub fn history(&self, benchmark: Id) -> Result<HistoryOfRow, StoreError> {
        let newest = "SELECT n FROM assertion WHERE benchmark = ?1
                      ORDER BY timestamp DESC, uuid DESC LIMIT 1";
        let had = self.one(newest, params![benchmark], |row| Ok(row.get(0)?))?;
        let had = had.unwrap_or_default();
        if had <= HISTORY {
            return Ok(HistoryOfRow {
                had,
                kept_since: None,
            });
        }
        // All assertions of the same time are removed together.
        let oldest = "SELECT max(oldest) FROM (
                          SELECT min(timestamp) AS oldest FROM assertion WHERE benchmark = ?1
                          GROUP BY origin IS NULL HAVING count(*) >= ?2)";
        let kept_since = self.one(oldest, params![benchmark, HISTORY], |row| Ok(row.get(0)?))?;
        Ok(HistoryOfRow {
            had,
            kept_since: kept_since.flatten(),
        })
    }

    /// Returns the times and identifiers of a row's assertions since a time, in order.
    pub fn times(&self, benchmark: Id, since: i64) -> Result<Vec<(i64, Uuid)>, StoreError> {
        let sql = "SELECT timestamp, uuid FROM assertion WHERE benchmark = ?1 AND timestamp >= ?2
                   ORDER BY timestamp, uuid";
        self.some(sql, params![benchmark, since], |row| {
            Ok((row.get(0)?, uuid(row, 1)?))
        })
    }

    /// Prepares to find assertions by the row of their benchmark, a range of times, and their
    /// identifier.
    pub fn assertions(&self) -> Result<AssertionFinder<'_>, StoreError> {
        let sql = "SELECT uuid, timestamp, asserted, facts FROM assertion
                   WHERE benchmark = ?1 AND timestamp BETWEEN ?2 AND ?3 AND uuid = ?4";
        Ok(AssertionFinder {
            statement: self.try_to(|_| Ok(self.transaction.prepare(sql)?))?,
            file: self.file,
        })
    }

    fn all<T>(
        &self,
        sql: &str,
        read: impl FnMut(&Row<'_>) -> Result<T, StoreProblem>,
    ) -> Result<Vec<T>, StoreError> {
        self.some(sql, &[], read)
    }

    fn some<T>(
        &self,
        sql: &str,
        params: Params<'_>,
        read: impl FnMut(&Row<'_>) -> Result<T, StoreProblem>,
    ) -> Result<Vec<T>, StoreError> {
        self.try_to(|it| rows::all(it, sql, params, read))
    }

    fn one<T>(
        &self,
        sql: &str,
        params: Params<'_>,
        read: impl FnOnce(&Row<'_>) -> Result<T, StoreProblem>,
    ) -> Result<Option<T>, StoreError> {
        self.try_to(|it| first(it, sql, params, read))
    }
}

/// Finds assertions.
#[derive(Debug)]
pub struct AssertionFinder<'t> {
    statement: Statement<'t>,
    file: &'t std::path::Path,
}

impl AssertionFinder<'_> {
    /// Finds an assertion.
    ///
    /// # Errors
    /// If the store can't be read.
    pub fn find(
        &mut self,
        benchmark: Id,
        times: RangeInclusive<i64>,
        uuid: Uuid,
    ) -> Result<Option<AssertionRow>, StoreError> {
        let mut find = || -> Result<_, StoreProblem> {
            let params = params![benchmark, times.start(), times.end(), uuid.as_bytes()];
            let mut rows = self.statement.query(params)?;
            rows.next()?.map(assertion).transpose()
        };
        find().map_err(|problem| StoreError::new(self.file, problem))
    }
}

fn assertion(row: &Row<'_>) -> Result<AssertionRow, StoreProblem> {
    Ok(AssertionRow {
        uuid: uuid(row, 0)?,
        timestamp: row.get(1)?,
        asserted: row.get(2)?,
        facts: history::facts(row, 3)?,
    })
}
