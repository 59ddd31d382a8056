//! Ensembles with their benchmarks and the beginning of their histories, in one statement.

use tdg::service::{AssertionEntry, Benchmark, Ensemble, Page, Uuid};
use tokio_postgres::Row;

use super::{
    failure::Outcome,
    row::{policy, size, time},
};

/// The ensembles that a subquery `ensemble` gives, in the order of creation, `$1` and `$2` being free for
/// what is within them: at most so many benchmarks, each with at most so many assertions.
macro_rules! ensembles_of {
    ($ensembles:literal) => {
        concat!(
            "SELECT ensemble.uuid, ensemble.added, ensemble.definition, ensemble.name, ensemble.size,
                 ensemble.seed, ensemble.sampler_version, ensemble.digest,
                 benchmark.uuid, benchmark.added, benchmark.policy, benchmark.digest,
                 assertion.uuid, assertion.timestamp, assertion.asserted
             FROM (",
            $ensembles,
            ") AS ensemble
             LEFT JOIN LATERAL (
                 SELECT uuid, added, policy, digest FROM benchmark
                 WHERE benchmark.ensemble = ensemble.uuid ORDER BY added, uuid LIMIT $1
             ) AS benchmark ON true
             LEFT JOIN LATERAL (
                 SELECT uuid, timestamp, asserted FROM assertion
                 WHERE assertion.benchmark = benchmark.uuid ORDER BY uuid DESC LIMIT $2
             ) AS assertion ON true
             ORDER BY ensemble.added, ensemble.uuid, benchmark.added, benchmark.uuid, assertion.uuid DESC"
        )
    };
}
pub(super) use ensembles_of;

/// What `$1` and `$2` are in every such statement.
pub(super) const WITHIN: (i64, i64) = (Page::LIMIT as i64, Benchmark::HISTORY_IN_LIST as i64);

/// The ensembles of such a statement.
pub(super) fn ensembles(rows: &[Row]) -> Outcome<Vec<Ensemble>> {
    let mut ensembles: Vec<Ensemble> = Vec::new();
    for row in rows {
        let uuid: Uuid = row.try_get(0)?;
        if ensembles
            .last()
            .is_none_or(|last| last.ensemble_uuid != uuid)
        {
            ensembles.push(ensemble(row)?);
        }
        let Some(ensemble) = ensembles.last_mut() else {
            continue;
        };
        let Some(benchmark) = row.try_get::<_, Option<Uuid>>(8)? else {
            continue;
        };
        let benchmarks = &mut ensemble.benchmarks;
        if benchmarks
            .last()
            .is_none_or(|last| last.benchmark_uuid != benchmark)
        {
            benchmarks.push(Benchmark {
                benchmark_uuid: benchmark,
                ensemble_uuid: uuid,
                definition_uuid: ensemble.definition_uuid,
                added: time(row, 9)?,
                digest: row.try_get(11)?,
                policy: policy(row.try_get(10)?)?,
                history: Vec::new(),
            });
        }
        let history = benchmarks
            .last_mut()
            .map(|benchmark| &mut benchmark.history);
        if let (Some(history), Some(entry)) = (history, entry(row, 12)?) {
            history.push(entry);
        }
    }
    Ok(ensembles)
}

fn ensemble(row: &Row) -> Outcome<Ensemble> {
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

/// An assertion from that column on, if the row has one: uuid, timestamp, asserted.
pub(super) fn entry(row: &Row, column: usize) -> Outcome<Option<AssertionEntry>> {
    let Some(assertion_uuid) = row.try_get(column)? else {
        return Ok(None);
    };
    Ok(Some(AssertionEntry {
        assertion_uuid,
        timestamp: time(row, column + 1)?,
        asserted: row.try_get(column + 2)?,
    }))
}
