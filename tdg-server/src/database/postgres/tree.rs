//! Objects with what stands within them, in one statement: a benchmark with the beginning of its history, an
//! ensemble with its benchmarks.

use tdg_service::{Benchmark, Ensemble, Page, Uuid};
use tokio_postgres::Row;

use super::failure::Outcome;
use super::row;

/// The benchmarks that a subquery gives, each with at most `$1` assertions. The history is arrays in the one
/// row of its benchmark, which would otherwise come again for each assertion.
macro_rules! benchmarks_of {
    ($benchmarks:literal) => {
        concat!(
            "SELECT benchmark.uuid, benchmark.ensemble, benchmark.definition, benchmark.added,
                 benchmark.digest, benchmark.policy, history.uuids, history.timestamps, history.asserted
             FROM (",
            $benchmarks,
            ") AS benchmark CROSS JOIN LATERAL (
                 SELECT array_agg(uuid) AS uuids, array_agg(timestamp) AS timestamps,
                     array_agg(asserted) AS asserted
                 FROM (
                     SELECT uuid, timestamp, asserted FROM assertion
                     WHERE assertion.benchmark = benchmark.uuid ORDER BY uuid DESC LIMIT $1
                 ) AS newest
             ) AS history"
        )
    };
}
pub(super) use benchmarks_of;

/// The ensembles that a subquery gives, in the order of creation: a row for each of their first `$2`
/// benchmarks, and one for an ensemble that has none.
macro_rules! ensembles_of {
    ($ensembles:literal) => {
        concat!(
            "SELECT ensemble.uuid, ensemble.added, ensemble.definition, ensemble.name, ensemble.size,
                 ensemble.seed, ensemble.sampler_version, ensemble.digest, benchmark.*
             FROM (",
            $ensembles,
            ") AS ensemble LEFT JOIN LATERAL (",
            super::tree::benchmarks_of!(
                "SELECT * FROM benchmark WHERE benchmark.ensemble = ensemble.uuid
                 ORDER BY added, uuid LIMIT $2"
            ),
            ") AS benchmark ON true
             ORDER BY ensemble.added, ensemble.uuid, benchmark.added, benchmark.uuid"
        )
    };
}
pub(super) use ensembles_of;

/// `$1` and `$2` of what stands within an object that isn't a benchmark itself.
pub(super) const WITHIN: (i64, i64) = (Benchmark::HISTORY_IN_LIST as i64, Page::LIMIT as i64);

/// The ensembles of such a statement.
pub(super) fn ensembles(rows: &[Row]) -> Outcome<Vec<Ensemble>> {
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

/// A benchmark of such a statement, from that column on.
pub(super) fn benchmark(row: &Row, column: usize) -> Outcome<Benchmark> {
    Ok(Benchmark {
        benchmark_uuid: row.try_get(column)?,
        ensemble_uuid: row.try_get(column + 1)?,
        definition_uuid: row.try_get(column + 2)?,
        added: row::time(row, column + 3)?,
        digest: row.try_get(column + 4)?,
        policy: row::policy(row.try_get(column + 5)?)?,
        history: row::history(row, column + 6)?,
    })
}

fn ensemble(row: &Row) -> Outcome<Ensemble> {
    let sampler_version: i32 = row.try_get(6)?;
    Ok(Ensemble {
        ensemble_uuid: row.try_get(0)?,
        ensemble_name: row.try_get(3)?,
        definition_uuid: row.try_get(2)?,
        added: row::time(row, 1)?,
        size: row::size(row, 4)?,
        seed: row.try_get::<_, i64>(5)?.cast_unsigned(),
        sampler_version: sampler_version.cast_unsigned(),
        digest: row.try_get(7)?,
        benchmarks: Vec::new(),
    })
}
