//! Assertions.

use std::sync::Arc;

use tdg_service::record::RunRecord;
use tdg_service::{
    AssertionEntry, IdempotentRequest, List, ObjectKind, Page, Result, Timestamp, Uuid,
};

use super::idempotency::find_or_make;
use super::page::{PageRange, Reading, ResponseBudget, bytes};
use crate::account::Account;
use crate::database::error::{DatabaseError, DatabaseResult};
use crate::database::postgres::NewEntry;
use crate::database::row::DatabaseRow;
use crate::database::session::{DatabaseSession, require};
use crate::database::sql::{SqlValues, sql};
use crate::database::{Database, Made, timed_uuid};

/// The condition that a row of `assertion` has its benchmark. Assertions outlive a deleted one for
/// a while.
macro_rules! has_benchmark {
    () => {
        "EXISTS (
             SELECT 1 FROM benchmark WHERE benchmark.account = assertion.account
                 AND benchmark.uuid = assertion.benchmark)"
    };
}
pub(crate) use has_benchmark;

impl Database {
    pub(crate) async fn history(
        &self,
        account: Account,
        benchmark: Uuid,
        page: Page,
    ) -> Result<List<AssertionEntry>> {
        let args = (benchmark, PageRange::from_page(&page)?);
        self.read(account, args, |session, (benchmark, range)| {
            Box::pin(list(session, *benchmark, range))
        })
        .await
    }

    pub(crate) async fn create_assertion(
        &self,
        account: Account,
        benchmark: Uuid,
        asserted: bool,
        request: Option<IdempotentRequest>,
    ) -> Result<AssertionEntry> {
        let timestamp = Timestamp::now();
        let new = Arc::new(NewEntry {
            account,
            benchmark,
            entry: entry(timestamp, asserted),
            request,
        });
        if let Database::Postgres(postgres) = self
            && postgres.assertions.write(new.clone()).await?
        {
            return Ok(new.entry.clone());
        }
        self.write(account, 0, new, |session, new| {
            Box::pin(add_or_find(session, new))
        })
        .await
    }
}

async fn list(
    session: DatabaseSession<'_>,
    benchmark: Uuid,
    range: &PageRange,
) -> DatabaseResult<List<AssertionEntry>> {
    require_benchmark(session, benchmark).await?;
    // Stops after the first assertion that doesn't fit: SQLite doesn't load the others.
    let sql = sql!(
        postgres: "SELECT uuid, timestamp, asserted, run FROM (
             SELECT page.*, sum(length) OVER (ORDER BY timestamp DESC, uuid DESC) - length AS before
             FROM (
                 SELECT uuid, timestamp, asserted, run, coalesce(octet_length(run), 0) AS length
                 FROM assertion
                 WHERE account = $1 AND benchmark = $2 AND (timestamp, uuid) < ($3, $4)
                 ORDER BY timestamp DESC, uuid DESC LIMIT $5
             ) AS page
         ) AS page WHERE before <= $6
         ORDER BY timestamp DESC, uuid DESC",
        sqlite: "SELECT uuid, timestamp, asserted, run FROM assertion
         WHERE account = $1 AND benchmark = $2 AND (timestamp, uuid) < ($3, $4)
         ORDER BY timestamp DESC, uuid DESC LIMIT $5"
    );
    let ((timestamp, uuid), limit) = (range.before(), range.query_limit());
    let (mut reading, mut budget) = (Reading::new(range), ResponseBudget::new());
    let most = i64::try_from(budget.left()).unwrap_or(i64::MAX);
    let values: SqlValues<'_> = &[&benchmark, &timestamp, &uuid, &limit, &most];
    let mut is_full = false;
    let add = |row: DatabaseRow<'_>| {
        let (entry, run) = (read(row)?, row.optional_text(3)?);
        let place = (entry.timestamp.as_micros(), entry.assertion_uuid);
        let length = run.map_or(0, str::len);
        is_full = is_full || !reading.admits(place, bytes::assertion(length), &mut budget);
        if !is_full {
            let run = run.map(RunRecord::from_text).transpose();
            let run = run.map_err(|error| DatabaseError::corrupt("assertion", error))?;
            reading.push(AssertionEntry { run, ..entry }, Vec::new());
        }
        Ok(())
    };
    session.all(sql, values, add).await?;
    Ok(reading.list())
}

/// Adds an assertion, or finds the one that the same request has added before.
async fn add_or_find(
    session: DatabaseSession<'_>,
    new: &Arc<NewEntry>,
) -> DatabaseResult<AssertionEntry> {
    let benchmark = new.benchmark;
    require_benchmark(session, benchmark).await?;
    let find = async |made: Made| {
        let sql = sql!(
            "SELECT uuid, timestamp, asserted FROM assertion
             WHERE account = $1 AND benchmark = $2 AND timestamp = $3 AND uuid = $4"
        );
        let at = made.at.map(Timestamp::as_micros);
        let values: SqlValues<'_> = &[&benchmark, &at, &made.uuid];
        let found = session.first(sql, values, read).await?;
        require(found, ObjectKind::Benchmark, benchmark)
    };
    let entry = match session.is_sqlite() {
        true => later(session, new).await?,
        false => new.entry.clone(),
    };
    let made = Made {
        uuid: entry.assertion_uuid,
        at: Some(entry.timestamp),
    };
    let make = append(session, benchmark, entry);
    find_or_make(session, new.request.as_ref(), find, (made, make)).await
}

/// Returns the assertion, dated after the newest of its history: a clock that was set back must not
/// reorder it. There is a single writer, so the newest is current.
async fn later(session: DatabaseSession<'_>, new: &NewEntry) -> DatabaseResult<AssertionEntry> {
    let sql = sql!(
        "SELECT timestamp FROM assertion WHERE account = $1 AND benchmark = $2
         ORDER BY timestamp DESC, uuid DESC LIMIT 1"
    );
    let values: SqlValues<'_> = &[&new.account.0, &new.benchmark];
    let newest: Option<i64> = session.first(sql, values, |row| row.get(0)).await?;
    let earliest = newest.map_or(0, |newest| newest.saturating_add(1));
    let timestamp = Timestamp::now().max(Timestamp::from_micros(earliest));
    Ok(entry(timestamp, new.entry.asserted))
}

async fn append(
    session: DatabaseSession<'_>,
    benchmark: Uuid,
    entry: AssertionEntry,
) -> DatabaseResult<AssertionEntry> {
    let sql = sql!(
        "INSERT INTO assertion (account, benchmark, timestamp, uuid, asserted)
         VALUES ($1, $2, $3, $4, $5)"
    );
    let (time, uuid) = (entry.timestamp.as_micros(), &entry.assertion_uuid);
    let values: SqlValues<'_> = &[&benchmark, &time, uuid, &entry.asserted];
    session.execute(sql, values).await?;
    count_changes(session, benchmark, 1).await?;
    Ok(entry)
}

/// Counts the changes of a benchmark's history. Only SQLite needs the count, for
/// [`history_stamp`](Database::history_stamp).
pub(crate) async fn count_changes(
    session: DatabaseSession<'_>,
    benchmark: Uuid,
    changes: i64,
) -> DatabaseResult<()> {
    if session.is_sqlite() {
        let sql = sql!(
            sqlite: "UPDATE benchmark SET changes = changes + $3
             WHERE account = $1 AND uuid = $2"
        );
        let values: SqlValues<'_> = &[&benchmark, &changes];
        session.execute(sql, values).await?;
    }
    Ok(())
}

async fn require_benchmark(session: DatabaseSession<'_>, benchmark: Uuid) -> DatabaseResult<()> {
    let sql = sql!("SELECT 1 FROM benchmark WHERE account = $1 AND uuid = $2");
    session
        .find(sql, ObjectKind::Benchmark, benchmark, |_| Ok(()))
        .await
}

fn entry(timestamp: Timestamp, asserted: bool) -> AssertionEntry {
    AssertionEntry {
        assertion_uuid: timed_uuid(timestamp),
        timestamp,
        asserted,
        run: None,
    }
}

fn read(row: DatabaseRow<'_>) -> DatabaseResult<AssertionEntry> {
    Ok(AssertionEntry {
        assertion_uuid: row.get(0)?,
        timestamp: row.time(1)?,
        asserted: row.get(2)?,
        run: None,
    })
}
