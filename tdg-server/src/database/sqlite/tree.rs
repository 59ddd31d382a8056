//! Objects with the objects within them, in one statement: a benchmark with the beginning of its
//! history, an ensemble with its benchmarks.

use rusqlite::{Connection, Row};
use tdg_definition::Policy;
use tdg_service::{AssertionEntry, Benchmark, Ensemble, Page};

use super::error::{DbError, DbResult};
use super::page::Stored;
use super::statement::{Id, Params, size, time, uuid};

/// The newest `?1` assertions of each benchmark: the end of the range of their numbers.
macro_rules! newest_assertions {
    () => {
        "LEFT JOIN assertion ON assertion.benchmark = benchmark.id AND assertion.n > (
             SELECT ifnull(max(n), 0) FROM assertion WHERE assertion.benchmark = benchmark.id
         ) - ?1"
    };
}
pub(super) use newest_assertions;

/// The benchmarks of a subquery: a row for each of their assertions, or one if there are none.
macro_rules! benchmarks_of {
    ($benchmarks:literal) => {
        concat!(
            "SELECT benchmark.id, benchmark.uuid, benchmark.added, benchmark.digest,
                 benchmark.policy, assertion.uuid, assertion.timestamp, assertion.asserted,
                 ensemble.uuid, definition.uuid
             FROM (",
            $benchmarks,
            ") AS benchmark JOIN ensemble ON ensemble.id = benchmark.ensemble
             JOIN definition ON definition.id = ensemble.definition ",
            super::tree::newest_assertions!(),
            " ORDER BY benchmark.id, assertion.n DESC"
        )
    };
}
pub(super) use benchmarks_of;

/// The ensembles of a subquery with their first `?2` benchmarks, in the same way.
macro_rules! ensembles_of {
    ($ensembles:literal) => {
        concat!(
            "SELECT benchmark.id, benchmark.uuid, benchmark.added, benchmark.digest,
                 benchmark.policy, assertion.uuid, assertion.timestamp, assertion.asserted,
                 ensemble.id, ensemble.uuid, definition.uuid, ensemble.added, ensemble.name,
                 ensemble.size, ensemble.seed, ensemble.sampler_version, ensemble.digest
             FROM (",
            $ensembles,
            ") AS ensemble JOIN definition ON definition.id = ensemble.definition
             LEFT JOIN benchmark ON benchmark.id IN (
                 SELECT id FROM benchmark WHERE benchmark.ensemble = ensemble.id
                 ORDER BY id LIMIT ?2
             ) ",
            super::tree::newest_assertions!(),
            " ORDER BY ensemble.id, benchmark.id, assertion.n DESC"
        )
    };
}
pub(super) use ensembles_of;

/// `?1` and `?2` for benchmarks within another object.
pub(super) const WITHIN: (i64, i64) = (Benchmark::HISTORY_IN_LIST as i64, Page::LIMIT as i64);

/// The benchmarks of such a statement.
pub(super) fn benchmarks(
    connection: &Connection,
    sql: &str,
    params: Params<'_>,
) -> DbResult<Vec<Stored<Benchmark>>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut found: Vec<Stored<Benchmark>> = Vec::new();
    while let Some(row) = rows.next()? {
        let id: Id = row.get(0)?;
        if found.last().is_none_or(|last| last.id != id) {
            let mut object = benchmark(row)?;
            object.ensemble_uuid = uuid(row, 8)?;
            object.definition_uuid = uuid(row, 9)?;
            found.push(Stored { id, object });
        }
        if let Some(last) = found.last_mut() {
            last.object.history.extend(assertion(row)?);
        }
    }
    Ok(found)
}

/// The ensembles of such a statement.
pub(super) fn ensembles(
    connection: &Connection,
    sql: &str,
    params: Params<'_>,
) -> DbResult<Vec<Stored<Ensemble>>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut found: Vec<Stored<Ensemble>> = Vec::new();
    let mut last_benchmark = None;
    while let Some(row) = rows.next()? {
        let id: Id = row.get(8)?;
        if found.last().is_none_or(|last| last.id != id) {
            let object = ensemble(row)?;
            found.push(Stored { id, object });
        }
        let Some(Stored {
            object: ensemble, ..
        }) = found.last_mut()
        else {
            continue;
        };
        let benchmark_id: Option<Id> = row.get(0)?;
        if benchmark_id.is_some() && benchmark_id != last_benchmark {
            ensemble.benchmarks.push(Benchmark {
                ensemble_uuid: ensemble.ensemble_uuid,
                definition_uuid: ensemble.definition_uuid,
                ..benchmark(row)?
            });
            last_benchmark = benchmark_id;
        }
        if let Some(benchmark) = ensemble.benchmarks.last_mut() {
            benchmark.history.extend(assertion(row)?);
        }
    }
    Ok(found)
}

/// Without the identifiers of what it belongs to, and without its history.
fn benchmark(row: &Row<'_>) -> DbResult<Benchmark> {
    Ok(Benchmark {
        benchmark_uuid: uuid(row, 1)?,
        ensemble_uuid: Default::default(),
        definition_uuid: Default::default(),
        added: time(row, 2)?,
        digest: row.get(3)?,
        policy: policy(
            row.get_ref(4)?
                .as_str_or_null()
                .map_err(rusqlite::Error::from)?,
        )?,
        history: Vec::new(),
    })
}

fn assertion(row: &Row<'_>) -> DbResult<Option<AssertionEntry>> {
    let Some(bytes) = row.get(5)? else {
        return Ok(None);
    };
    Ok(Some(AssertionEntry {
        assertion_uuid: tdg_service::Uuid::from_bytes(bytes),
        timestamp: time(row, 6)?,
        asserted: row.get(7)?,
    }))
}

fn ensemble(row: &Row<'_>) -> DbResult<Ensemble> {
    Ok(Ensemble {
        ensemble_uuid: uuid(row, 9)?,
        definition_uuid: uuid(row, 10)?,
        added: time(row, 11)?,
        ensemble_name: row.get(12)?,
        size: size(row, 13)?,
        seed: row.get::<_, i64>(14)?.cast_unsigned(),
        sampler_version: row.get(15)?,
        digest: row.get(16)?,
        benchmarks: Vec::new(),
    })
}

pub(super) fn policy(text: Option<&str>) -> DbResult<Option<Policy>> {
    let policy = text.map(Policy::parse).transpose();
    policy.map_err(|faults| DbError::corrupt("policy", faults))
}
