//! Objects with the objects within them, in one statement: a benchmark with the beginning of its
//! history, an ensemble with its benchmarks.

use rusqlite::{Connection, Row};
use tdg_definition::Policy;
use tdg_service::{AssertionEntry, Benchmark, Ensemble, Page, Uuid};

use super::error::{DbError, DbResult};
use super::statement::{Params, size, time, uuid};

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

/// The benchmarks of a subquery: a row for each of their assertions, or one if there are none.
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
            " ORDER BY benchmark.added, benchmark.uuid, assertion.timestamp DESC, assertion.uuid DESC"
        )
    };
}
pub(super) use benchmarks_of;

/// The ensembles of a subquery with their first `?2` benchmarks, in the same way.
macro_rules! ensembles_of {
    ($ensembles:literal) => {
        concat!(
            "SELECT benchmark.uuid, benchmark.added, benchmark.digest, benchmark.policy,
                 assertion.uuid, assertion.timestamp, assertion.asserted,
                 ensemble.uuid, ensemble.definition, ensemble.added, ensemble.name,
                 ensemble.size, ensemble.seed, ensemble.sampler_version, ensemble.digest
             FROM (",
            $ensembles,
            ") AS ensemble LEFT JOIN benchmark ON benchmark.account = ensemble.account
                 AND benchmark.uuid IN (
                     SELECT uuid FROM benchmark
                     WHERE benchmark.account = ensemble.account
                         AND benchmark.ensemble = ensemble.uuid
                     ORDER BY added, uuid LIMIT ?2
                 ) ",
            super::tree::newest_assertions!(),
            " ORDER BY ensemble.added, ensemble.uuid, benchmark.added, benchmark.uuid,
                 assertion.timestamp DESC, assertion.uuid DESC"
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
) -> DbResult<Vec<Benchmark>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut found: Vec<Benchmark> = Vec::new();
    while let Some(row) = rows.next()? {
        let (ensemble, definition) = (uuid(row, 7)?, uuid(row, 8)?);
        add_benchmark(&mut found, row, (ensemble, definition))?;
    }
    Ok(found)
}

/// The ensembles of such a statement.
pub(super) fn ensembles(
    connection: &Connection,
    sql: &str,
    params: Params<'_>,
) -> DbResult<Vec<Ensemble>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut found: Vec<Ensemble> = Vec::new();
    while let Some(row) = rows.next()? {
        let uuid = uuid(row, 7)?;
        if found.last().is_none_or(|last| last.ensemble_uuid != uuid) {
            found.push(ensemble(row)?);
        }
        if let Some(last) = found.last_mut() {
            let of = (last.ensemble_uuid, last.definition_uuid);
            add_benchmark(&mut last.benchmarks, row, of)?;
        }
    }
    Ok(found)
}

/// Adds the benchmark of a row, if it has one and it is not the last, and its assertion.
fn add_benchmark(
    benchmarks: &mut Vec<Benchmark>,
    row: &Row<'_>,
    (ensemble_uuid, definition_uuid): (Uuid, Uuid),
) -> DbResult<()> {
    let Some(bytes) = row.get(0)? else {
        return Ok(());
    };
    let benchmark_uuid = Uuid::from_bytes(bytes);
    if benchmarks
        .last()
        .is_none_or(|last| last.benchmark_uuid != benchmark_uuid)
    {
        let text = row.get_ref(3)?.as_str_or_null();
        benchmarks.push(Benchmark {
            benchmark_uuid,
            ensemble_uuid,
            definition_uuid,
            added: time(row, 1)?,
            digest: row.get(2)?,
            policy: policy(text.map_err(rusqlite::Error::from)?)?,
            history: Vec::new(),
        });
    }
    if let Some(last) = benchmarks.last_mut() {
        last.history.extend(assertion(row)?);
    }
    Ok(())
}

fn assertion(row: &Row<'_>) -> DbResult<Option<AssertionEntry>> {
    let Some(bytes) = row.get(4)? else {
        return Ok(None);
    };
    Ok(Some(AssertionEntry {
        assertion_uuid: Uuid::from_bytes(bytes),
        timestamp: time(row, 5)?,
        asserted: row.get(6)?,
    }))
}

fn ensemble(row: &Row<'_>) -> DbResult<Ensemble> {
    Ok(Ensemble {
        ensemble_uuid: uuid(row, 7)?,
        definition_uuid: uuid(row, 8)?,
        added: time(row, 9)?,
        ensemble_name: row.get(10)?,
        size: size(row, 11)?,
        seed: row.get::<_, i64>(12)?.cast_unsigned(),
        sampler_version: row.get(13)?,
        digest: row.get(14)?,
        benchmarks: Vec::new(),
    })
}

pub(super) fn policy(text: Option<&str>) -> DbResult<Option<Policy>> {
    let policy = text.map(Policy::parse).transpose();
    policy.map_err(|faults| DbError::corrupt("policy", faults))
}
