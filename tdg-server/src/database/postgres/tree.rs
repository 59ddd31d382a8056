//! Objects with the objects within them, in one statement: a benchmark with the beginning of its
//! history, an ensemble with its benchmarks.

use tdg_definition::Policy;
use tdg_service::{AssertionEntry, Benchmark, Ensemble, Page, Timestamp, Uuid};
use tokio_postgres::Row;

use super::error::{DbError, DbResult};
use super::statement::{size, time};

/// The benchmarks of a subquery, each with at most `$1` assertions. The history is arrays in the
/// one row of its benchmark, whose columns would otherwise be repeated for each assertion.
macro_rules! benchmarks_of {
    ($benchmarks:literal) => {
        concat!(
            "SELECT benchmark.uuid, benchmark.ensemble, benchmark.definition, benchmark.added,
                 benchmark.digest, benchmark.policy, history.uuids, history.timestamps, history.asserted
             FROM (",
            $benchmarks,
            ") AS benchmark CROSS JOIN LATERAL (
                 SELECT array_agg(uuid ORDER BY timestamp DESC, uuid DESC) AS uuids,
                     array_agg(timestamp ORDER BY timestamp DESC, uuid DESC) AS timestamps,
                     array_agg(asserted ORDER BY timestamp DESC, uuid DESC) AS asserted
                 FROM (
                     SELECT uuid, timestamp, asserted FROM assertion
                     WHERE assertion.account = benchmark.account
                         AND assertion.benchmark = benchmark.uuid
                     ORDER BY timestamp DESC, uuid DESC LIMIT $1
                 ) AS newest
             ) AS history"
        )
    };
}
pub(super) use benchmarks_of;

/// The ensembles of a subquery, in the order of creation: a row for each of their first `$2`
/// benchmarks, or one if there are none.
macro_rules! ensembles_of {
    ($ensembles:literal) => {
        concat!(
            "SELECT ensemble.uuid, ensemble.added, ensemble.definition, ensemble.name, ensemble.size,
                 ensemble.seed, ensemble.sampler_version, ensemble.digest, benchmark.*
             FROM (",
            $ensembles,
            ") AS ensemble LEFT JOIN LATERAL (",
            super::tree::benchmarks_of!(
                "SELECT * FROM benchmark
                 WHERE benchmark.account = ensemble.account AND benchmark.ensemble = ensemble.uuid
                 ORDER BY added, uuid LIMIT $2"
            ),
            ") AS benchmark ON true
             ORDER BY ensemble.added, ensemble.uuid, benchmark.added, benchmark.uuid"
        )
    };
}
pub(super) use ensembles_of;

/// `$1` and `$2` for benchmarks within another object.
pub(super) const WITHIN: (i64, i64) = (Benchmark::HISTORY_IN_LIST as i64, Page::LIMIT as i64);

/// The ensembles of such a statement.
pub(super) fn ensembles(rows: &[Row]) -> DbResult<Vec<Ensemble>> {
    const BENCHMARK: usize = 8;
    let mut ensembles: Vec<Ensemble> = Vec::new();
    for row in rows {
        let uuid: Uuid = row.try_get(0)?;
        if ensembles
            .last()
            .is_none_or(|last| last.ensemble_uuid != uuid)
        {
            ensembles.push(ensemble(row)?);
        }
        let has_benchmark = row.try_get::<_, Option<Uuid>>(BENCHMARK)?.is_some();
        if let (Some(last), true) = (ensembles.last_mut(), has_benchmark) {
            last.benchmarks.push(benchmark(row, BENCHMARK)?);
        }
    }
    Ok(ensembles)
}

/// A benchmark of such a statement, in the columns from that one on.
pub(super) fn benchmark(row: &Row, column: usize) -> DbResult<Benchmark> {
    Ok(Benchmark {
        benchmark_uuid: row.try_get(column)?,
        ensemble_uuid: row.try_get(column + 1)?,
        definition_uuid: row.try_get(column + 2)?,
        added: time(row, column + 3)?,
        digest: row.try_get(column + 4)?,
        policy: policy(row.try_get(column + 5)?)?,
        history: history(row, column + 6)?,
    })
}

fn ensemble(row: &Row) -> DbResult<Ensemble> {
    let sampler_version: i32 = row.try_get(6)?;
    Ok(Ensemble {
        ensemble_uuid: row.try_get(0)?,
        ensemble_name: row.try_get(3)?,
        definition_uuid: row.try_get(2)?,
        added: time(row, 1)?,
        size: size(row, 4)?,
        seed: row.try_get::<_, i64>(5)?.cast_unsigned(),
        sampler_version: sampler_version.cast_unsigned(),
        digest: row.try_get(7)?,
        benchmarks: Vec::new(),
    })
}

/// A history in the columns from that one on: arrays of uuid, timestamp, asserted; null if empty.
fn history(row: &Row, column: usize) -> DbResult<Vec<AssertionEntry>> {
    let uuids: Option<Vec<Uuid>> = row.try_get(column)?;
    let timestamps: Option<Vec<i64>> = row.try_get(column + 1)?;
    let asserted: Option<Vec<bool>> = row.try_get(column + 2)?;
    let columns = uuids.into_iter().flatten();
    let columns = columns.zip(timestamps.into_iter().flatten());
    let columns = columns.zip(asserted.into_iter().flatten());
    let history = columns
        .map(|((assertion_uuid, timestamp), asserted)| AssertionEntry {
            assertion_uuid,
            timestamp: Timestamp::from_micros(timestamp),
            asserted,
        })
        .collect();
    Ok(history)
}

pub(super) fn policy(text: Option<&str>) -> DbResult<Option<Policy>> {
    let policy = text.map(Policy::parse).transpose();
    policy.map_err(|faults| DbError::corrupt("policy", faults))
}
