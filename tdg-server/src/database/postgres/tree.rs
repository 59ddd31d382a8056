//! Benchmarks with the beginning of their histories, in one statement.

use tdg_definition::Policy;
use tdg_service::{AssertionEntry, Benchmark, Timestamp, Uuid};
use tokio_postgres::Row;

use super::error::{PostgresError, PostgresResult};
use super::statement::time;

/// The benchmarks of a subquery, each with at most so many assertions. The history is arrays in the
/// one row of its benchmark, whose columns would otherwise be repeated for each assertion.
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
pub(super) use benchmarks_of;

/// The benchmark of a row of such a statement.
pub(super) fn benchmark(row: &Row) -> PostgresResult<Benchmark> {
    Ok(Benchmark {
        benchmark_uuid: row.try_get(0)?,
        ensemble_uuid: row.try_get(1)?,
        definition_uuid: row.try_get(2)?,
        added: time(row, 3)?,
        digest: row.try_get(4)?,
        policy: policy(row.try_get(5)?)?,
        history: history(row)?,
        history_complete: false,
    })
}

/// Its history: arrays of uuid, timestamp, asserted; null if empty.
fn history(row: &Row) -> PostgresResult<Vec<AssertionEntry>> {
    let uuids: Option<Vec<Uuid>> = row.try_get(6)?;
    let timestamps: Option<Vec<i64>> = row.try_get(7)?;
    let asserted: Option<Vec<bool>> = row.try_get(8)?;
    let columns = uuids.into_iter().flatten();
    let columns = columns.zip(timestamps.into_iter().flatten());
    let columns = columns.zip(asserted.into_iter().flatten());
    let history = columns
        .map(|((assertion_uuid, timestamp), asserted)| AssertionEntry {
            assertion_uuid,
            timestamp: Timestamp::from_micros(timestamp),
            asserted,
            run: None,
        })
        .collect();
    Ok(history)
}

pub(super) fn policy(text: Option<&str>) -> PostgresResult<Option<Policy>> {
    let policy = text.map(Policy::parse).transpose();
    policy.map_err(|faults| PostgresError::corrupt("policy", faults))
}
