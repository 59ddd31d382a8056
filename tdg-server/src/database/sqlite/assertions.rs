//! Assertions.

use async_trait::async_trait;
use rusqlite::{Connection, Row, params};
use tdg_service::{AssertionEntry, IdempotentRequest, Kind, List, Page, Result, Timestamp, Uuid};

use super::Sqlite;
use super::error::DbResult;
use super::idempotency::{self, Made};
use super::page::{Range, Stored};
use super::statement::{Id, all, execute, first, require, time, uuid};
use crate::database::{Account, Assertions, assertion_uuid};

#[async_trait]
impl Assertions for Sqlite {
    async fn history(
        &self,
        account: Account,
        benchmark: Uuid,
        page: Page,
    ) -> Result<List<AssertionEntry>> {
        self.read_transaction(move |connection| {
            let range = Range::of(&page)?;
            let benchmark = benchmark_id(connection, account, benchmark)?;
            let sql = "SELECT n, uuid, timestamp, asserted FROM assertion
                 WHERE benchmark = ?1 AND n < ?2 ORDER BY n DESC LIMIT ?3";
            let before = range.last.unwrap_or(i64::MAX);
            let params = params![benchmark, before, range.query_limit()];
            let rows = all(connection, sql, params, read)?;
            range.list(rows, |row| Ok(row.object))
        })
        .await
    }

    async fn create_assertion(
        &self,
        account: Account,
        benchmark: Uuid,
        asserted: bool,
        request: Option<IdempotentRequest>,
    ) -> Result<AssertionEntry> {
        self.transaction(move |connection| {
            let id = benchmark_id(connection, account, benchmark)?;
            let find = |made: Made| {
                let sql = "SELECT n, uuid, timestamp, asserted FROM assertion
                     WHERE benchmark = ?1 AND n = ?2 AND uuid = ?3";
                let params = params![id, made.n, made.uuid.as_bytes()];
                let found = first(connection, sql, params, read)?;
                Ok(require(found, Kind::Benchmark, benchmark)?.object)
            };
            let make = || append(connection, id, asserted);
            idempotency::find_or_make(connection, account, request.as_ref(), find, make)
        })
        .await
    }
}

/// Adds an assertion to the end of a history.
fn append(
    connection: &Connection,
    benchmark: Id,
    asserted: bool,
) -> DbResult<(Made, AssertionEntry)> {
    let sql = "SELECT n, timestamp FROM assertion WHERE benchmark = ?1 ORDER BY n DESC LIMIT 1";
    let newest = first(connection, sql, params![benchmark], |row| {
        Ok((row.get(0)?, time(row, 1)?))
    })?;
    let (last, earliest) = newest.unwrap_or((0, Timestamp::from_micros(0)));
    // A clock that was set back does not reorder a history.
    let timestamp = Timestamp::now().max(earliest);
    let (uuid, n) = (assertion_uuid(timestamp), last + 1);
    let sql = "INSERT INTO assertion (benchmark, n, uuid, timestamp, asserted)
         VALUES (?1, ?2, ?3, ?4, ?5)";
    let params = params![
        benchmark,
        n,
        uuid.as_bytes(),
        timestamp.as_micros(),
        asserted
    ];
    execute(connection, sql, params)?;
    let entry = AssertionEntry {
        assertion_uuid: uuid,
        timestamp,
        asserted,
    };
    Ok((Made { uuid, n: Some(n) }, entry))
}

fn benchmark_id(connection: &Connection, account: Account, benchmark: Uuid) -> DbResult<Id> {
    let sql = "SELECT id FROM benchmark WHERE uuid = ?1 AND account = ?2";
    let params = params![benchmark.as_bytes(), account.0];
    let found = first(connection, sql, params, |row| row.get(0))?;
    require(found, Kind::Benchmark, benchmark)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Stored<AssertionEntry>> {
    Ok(Stored {
        id: row.get(0)?,
        object: AssertionEntry {
            assertion_uuid: uuid(row, 1)?,
            timestamp: time(row, 2)?,
            asserted: row.get(3)?,
        },
    })
}
