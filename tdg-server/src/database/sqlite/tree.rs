//! A benchmark with the beginning of its history, in one statement.

use rusqlite::{Connection, Row};
use tdg_definition::Policy;
use tdg_service::{AssertionEntry, Benchmark, Uuid};

use super::error::{SqliteError, SqliteResult};
use super::statement::{Params, time, uuid};

/// The newest `?1` assertions of each benchmark: those from the oldest of them on.
macro_rules! newest_assertions {
    () => {
        "LEFT JOIN assertion ON assertion.account = benchmark.account
             AND assertion.benchmark = benchmark.uuid
             AND assertion.timestamp >= ifnull((
                 SELECT timestamp FROM assertion
                 WHERE assertion.account = benchmark.account
                     AND assertion.benchmark = benchmark.uuid
                 ORDER BY timestamp DESC, uuid DESC LIMIT 1 OFFSET ?1 - 1
             ), 0)"
    };
}
pub(super) use newest_assertions;

/// The benchmark of a subquery: a row for each of its assertions, or one if there are none.
macro_rules! benchmarks_of {
    ($benchmarks:literal) => {
        concat!(
            "SELECT benchmark.uuid, benchmark.added, benchmark.digest, benchmark.policy,
                 assertion.uuid, assertion.timestamp, assertion.asserted,
                 benchmark.ensemble, benchmark.definition
             FROM (",
            $benchmarks,
            ") AS benchmark ",
            super::tree::newest_assertions!(),
            " ORDER BY assertion.timestamp DESC, assertion.uuid DESC"
        )
    };
}
pub(super) use benchmarks_of;

/// The benchmark of such a statement.
pub(super) fn benchmark(
    connection: &Connection,
    sql: &str,
    params: Params<'_>,
) -> SqliteResult<Option<Benchmark>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut found: Option<Benchmark> = None;
    while let Some(row) = rows.next()? {
        let entry = assertion(row)?;
        let benchmark = match &mut found {
            Some(benchmark) => benchmark,
            None => found.insert(object(row)?),
        };
        benchmark.history.extend(entry);
    }
    Ok(found)
}

/// Without its history.
fn object(row: &Row<'_>) -> SqliteResult<Benchmark> {
    let text = row.get_ref(3)?.as_str_or_null();
    Ok(Benchmark {
        benchmark_uuid: uuid(row, 0)?,
        ensemble_uuid: uuid(row, 7)?,
        definition_uuid: uuid(row, 8)?,
        added: time(row, 1)?,
        digest: row.get(2)?,
        policy: policy(text.map_err(rusqlite::Error::from)?)?,
        history: Vec::new(),
        history_complete: false,
    })
}

fn assertion(row: &Row<'_>) -> SqliteResult<Option<AssertionEntry>> {
    let Some(bytes) = row.get(4)? else {
        return Ok(None);
    };
    Ok(Some(AssertionEntry {
        assertion_uuid: Uuid::from_bytes(bytes),
        timestamp: time(row, 5)?,
        asserted: row.get(6)?,
        run: None,
    }))
}

pub(super) fn policy(text: Option<&str>) -> SqliteResult<Option<Policy>> {
    let policy = text.map(Policy::parse).transpose();
    policy.map_err(|faults| SqliteError::corrupt("policy", faults))
}
