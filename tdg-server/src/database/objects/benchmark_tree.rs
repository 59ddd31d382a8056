//! Benchmarks with the beginnings of their histories.

use tdg_service::{AssertionEntry, Benchmark, Timestamp, Uuid};

use crate::database::error::DatabaseResult;
use crate::database::parse::policy;
use crate::database::row::DatabaseRow;

/// The benchmarks of a subquery in PostgreSQL, each with a limited number of assertions. The
/// history consists of arrays in the benchmark's single row, whose columns would otherwise be
/// repeated for each assertion.
macro_rules! benchmarks_of {
    ($history:literal, $($benchmarks:expr),+ $(,)?) => {
        concat!(
            "SELECT benchmark.uuid, benchmark.ensemble, benchmark.definition, benchmark.added,
                 benchmark.digest, benchmark.policy, history.uuids, history.timestamps, history.asserted
             FROM (",
            $($benchmarks,)+
            ") AS benchmark CROSS JOIN LATERAL (
                 SELECT array_agg(uuid ORDER BY timestamp DESC, uuid DESC) AS uuids,
                     array_agg(timestamp ORDER BY timestamp DESC, uuid DESC) AS timestamps,
                     array_agg(asserted ORDER BY timestamp DESC, uuid DESC) AS asserted
                 FROM (
                     SELECT uuid, timestamp, asserted FROM assertion
                     WHERE assertion.account = benchmark.account
                         AND assertion.benchmark = benchmark.uuid
                     ORDER BY timestamp DESC, uuid DESC LIMIT ",
            $history,
            "
                 ) AS newest
             ) AS history"
        )
    };
}
pub(crate) use benchmarks_of;

/// The benchmark `$2` of the account `$1` with its newest `$3` assertions. SQLite returns one row
/// for each, from the oldest of them on, or a single row without any.
macro_rules! one_benchmark {
    () => {
        $crate::database::sql::sql!(
            postgres: $crate::database::objects::benchmark_tree::benchmarks_of!(
                "$3",
                "SELECT * FROM benchmark WHERE account = $1 AND uuid = $2"
            ),
            sqlite: "SELECT benchmark.uuid, benchmark.ensemble, benchmark.definition,
                 benchmark.added, benchmark.digest, benchmark.policy,
                 assertion.uuid, assertion.timestamp, assertion.asserted
             FROM (SELECT * FROM benchmark WHERE account = $1 AND uuid = $2) AS benchmark
             LEFT JOIN assertion ON assertion.account = benchmark.account
                 AND assertion.benchmark = benchmark.uuid
                 AND assertion.timestamp >= ifnull((
                     SELECT timestamp FROM assertion
                     WHERE assertion.account = benchmark.account
                         AND assertion.benchmark = benchmark.uuid
                     ORDER BY timestamp DESC, uuid DESC LIMIT 1 OFFSET $3 - 1
                 ), 0)
             ORDER BY assertion.timestamp DESC, assertion.uuid DESC"
        )
    };
}
pub(crate) use one_benchmark;

/// Reads a row of such a statement: a benchmark, or another assertion of the previous one.
pub(crate) fn read(row: DatabaseRow<'_>, found: &mut Option<Benchmark>) -> DatabaseResult<()> {
    let benchmark = match found {
        Some(benchmark) => benchmark,
        None => found.insert(object(row)?),
    };
    match row {
        DatabaseRow::Postgres(row) => history(row, &mut benchmark.history),
        DatabaseRow::Sqlite(_) => {
            benchmark.history.extend(assertion(row)?);
            Ok(())
        }
    }
}

/// Reads a benchmark without its history.
fn object(row: DatabaseRow<'_>) -> DatabaseResult<Benchmark> {
    Ok(Benchmark {
        benchmark_uuid: row.get(0)?,
        ensemble_uuid: row.get(1)?,
        definition_uuid: row.get(2)?,
        added: row.time(3)?,
        digest: row.get(4)?,
        policy: policy(row.optional_text(5)?)?,
        history: Vec::new(),
        history_complete: false,
    })
}

/// Reads the assertion in a row of SQLite.
fn assertion(row: DatabaseRow<'_>) -> DatabaseResult<Option<AssertionEntry>> {
    let Some(assertion_uuid) = row.get(6)? else {
        return Ok(None);
    };
    Ok(Some(AssertionEntry {
        assertion_uuid,
        timestamp: row.time(7)?,
        asserted: row.get(8)?,
        run: None,
    }))
}

/// Reads the assertions in a row of PostgreSQL: arrays of uuid, timestamp, asserted; null if empty.
fn history(row: &tokio_postgres::Row, into: &mut Vec<AssertionEntry>) -> DatabaseResult<()> {
    let uuids: Option<Vec<Uuid>> = row.try_get(6)?;
    let timestamps: Option<Vec<i64>> = row.try_get(7)?;
    let asserted: Option<Vec<bool>> = row.try_get(8)?;
    let columns = uuids.into_iter().flatten();
    let columns = columns.zip(timestamps.into_iter().flatten());
    let columns = columns.zip(asserted.into_iter().flatten());
    into.extend(
        columns.map(|((assertion_uuid, timestamp), asserted)| AssertionEntry {
            assertion_uuid,
            timestamp: Timestamp::from_micros(timestamp),
            asserted,
            run: None,
        }),
    );
    Ok(())
}
