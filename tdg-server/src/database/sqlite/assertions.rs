//! Assertions.

use async_trait::async_trait;
use rusqlite::{Connection, Row, params};
use tdg_service::record::RunRecord;
use tdg_service::{
    AssertionEntry, IdempotentRequest, List, ObjectKind, Page, Result, Timestamp, Uuid,
};

use super::Sqlite;
use super::error::{SqliteError, SqliteResult};
use super::idempotency;
use super::statement::{execute, first, require, time, uuid};
use crate::database::page::{PageRange, Reading, ResponseBudget, bytes};
use crate::database::{Account, Assertions, Made, assertion_uuid};

#[async_trait]
impl Assertions for Sqlite {
    async fn history(
        &self,
        account: Account,
        benchmark: Uuid,
        page: Page,
    ) -> Result<List<AssertionEntry>> {
        self.read_transaction(account, move |connection| {
            let range = PageRange::of(&page)?;
            require_benchmark(connection, account, benchmark)?;
            let sql = "SELECT uuid, timestamp, asserted, run FROM assertion
                 WHERE account = ?1 AND benchmark = ?2 AND (timestamp, uuid) < (?3, ?4)
                 ORDER BY timestamp DESC, uuid DESC LIMIT ?5";
            let (timestamp, uuid) = range.before();
            let params = params![
                account.0,
                benchmark.as_bytes(),
                timestamp,
                uuid.as_bytes(),
                range.query_limit()
            ];
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query(params)?;
            let (mut reading, mut budget) = (Reading::new(&range), ResponseBudget::new());
            while let Some(row) = rows.next()? {
                let (entry, run) = (read(row)?, row.get_ref(3)?.as_str_or_null());
                let run = run.map_err(rusqlite::Error::from)?;
                let place = (entry.timestamp.as_micros(), entry.assertion_uuid);
                let length = run.map_or(0, str::len);
                if !reading.admits(place, bytes::assertion(length), &mut budget) {
                    break;
                }
                let run = run.map(RunRecord::from_text).transpose();
                let run = run.map_err(|error| SqliteError::corrupt("assertion", error))?;
                reading.push(AssertionEntry { run, ..entry }, Vec::new());
            }
            Ok(reading.list())
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
        self.transaction(account, 0, move |connection| {
            require_benchmark(connection, account, benchmark)?;
            let find = |made: Made| {
                let sql = "SELECT uuid, timestamp, asserted FROM assertion
                     WHERE account = ?1 AND benchmark = ?2 AND timestamp = ?3 AND uuid = ?4";
                let at = made.at.map(Timestamp::as_micros);
                let params = params![account.0, benchmark.as_bytes(), at, made.uuid.as_bytes()];
                let found = first(connection, sql, params, read)?;
                require(found, ObjectKind::Benchmark, benchmark)
            };
            let make = || append(connection, account, benchmark, asserted);
            idempotency::find_or_make(connection, account, request.as_ref(), find, make)
        })
        .await
    }
}

/// Adds an assertion to the end of a history.
fn append(
    connection: &Connection,
    account: Account,
    benchmark: Uuid,
    asserted: bool,
) -> SqliteResult<(Made, AssertionEntry)> {
    let sql = "SELECT timestamp FROM assertion WHERE account = ?1 AND benchmark = ?2
         ORDER BY timestamp DESC, uuid DESC LIMIT 1";
    let params = params![account.0, benchmark.as_bytes()];
    let newest: Option<i64> = first(connection, sql, params, |row| row.get(0))?;
    // A clock that was set back does not reorder a history.
    let earliest = newest.map_or(0, |newest| newest.saturating_add(1));
    let timestamp = Timestamp::now().max(Timestamp::from_micros(earliest));
    let uuid = assertion_uuid(timestamp);
    let sql = "INSERT INTO assertion (account, benchmark, timestamp, uuid, asserted)
         VALUES (?1, ?2, ?3, ?4, ?5)";
    let params = params![
        account.0,
        benchmark.as_bytes(),
        timestamp.as_micros(),
        uuid.as_bytes(),
        asserted
    ];
    execute(connection, sql, params)?;
    let sql = "UPDATE benchmark SET changes = changes + 1 WHERE account = ?1 AND uuid = ?2";
    execute(connection, sql, params![account.0, benchmark.as_bytes()])?;
    let at = Some(timestamp);
    let entry = AssertionEntry {
        assertion_uuid: uuid,
        timestamp,
        asserted,
        run: None,
    };
    Ok((Made { uuid, at }, entry))
}

fn require_benchmark(
    connection: &Connection,
    account: Account,
    benchmark: Uuid,
) -> SqliteResult<()> {
    let sql = "SELECT 1 FROM benchmark WHERE account = ?1 AND uuid = ?2";
    let params = params![account.0, benchmark.as_bytes()];
    let found = first(connection, sql, params, |_| Ok(()))?;
    require(found, ObjectKind::Benchmark, benchmark)
}

fn read(row: &Row<'_>) -> rusqlite::Result<AssertionEntry> {
    Ok(AssertionEntry {
        assertion_uuid: uuid(row, 0)?,
        timestamp: time(row, 1)?,
        asserted: row.get(2)?,
        run: None,
    })
}
