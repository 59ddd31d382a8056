//! Records that are stored.

use std::ops::RangeInclusive;

use rusqlite::{Connection, Row, params};
use tdg_definition::json;
use tdg_engine::output::Outputs;
use tdg_service::record::{
    AssertionRecord, BenchmarkRecord, DefinitionRecord, EnsembleRecord, ProjectRecord, Record,
    RecordKind, RowSource, RunRecord,
};
use tdg_service::sync::{HistoryQuestion, Wanted};
use tdg_service::{ServiceObject, Timestamp, Uuid};

use super::super::error::{SqliteError, SqliteResult};
use super::super::statement::{all, first, size, time, uuid};
use crate::database::Account;
use crate::database::records::{AssertionsSince, GIVEN, IS_THERE, OTHER_CONTENT};
use crate::packed_rows::PackedRows;

/// The assertions of all benchmarks with that identity, from a time on.
pub(super) fn assertions(
    connection: &Connection,
    account: Account,
    question: HistoryQuestion,
) -> SqliteResult<AssertionsSince> {
    let benchmarks = benchmarks(connection, account, question.benchmark)?;
    let kept_since = benchmarks.iter().map(|(_, kept)| *kept).max();
    let kept_since = kept_since.unwrap_or(Timestamp::MIN);
    let since = question.since.max(kept_since);
    let sql = "SELECT timestamp, uuid FROM assertion
         WHERE account = ?1 AND benchmark = ?2 AND timestamp >= ?3 ORDER BY timestamp, uuid";
    let mut entries = Vec::new();
    for (benchmark, _) in &benchmarks {
        let params = params![account.0, benchmark.as_bytes(), since.as_micros()];
        entries.extend(all(connection, sql, params, |row| {
            Ok((time(row, 0)?, uuid(row, 1)?))
        })?);
    }
    if benchmarks.len() > 1 {
        entries.sort_unstable();
    }
    Ok(AssertionsSince {
        kept_since,
        entries,
    })
}

/// The benchmarks with an identity, the earliest first, and since when each keeps its assertions.
pub(super) fn benchmarks(
    connection: &Connection,
    account: Account,
    identity: Uuid,
) -> SqliteResult<Vec<(Uuid, Timestamp)>> {
    let sql = "SELECT uuid, kept_since FROM benchmark WHERE account = ?1 AND identity = ?2
         ORDER BY added, uuid";
    let params = params![account.0, identity.as_bytes()];
    all(connection, sql, params, |row| {
        let kept: Option<i64> = row.get(1)?;
        Ok((
            uuid(row, 0)?,
            kept.map_or(Timestamp::MIN, Timestamp::from_micros),
        ))
    })
}

/// A record of the project, if it is there.
pub(super) fn record(
    connection: &Connection,
    account: Account,
    project: Uuid,
    wanted: Wanted,
) -> SqliteResult<Option<Record>> {
    let (kind, uuid) = match wanted {
        Wanted::Assertion(benchmark, time, uuid) => {
            let found = assertion(connection, account, benchmark, time..=time, uuid)?;
            return Ok(found.map(Record::Assertion));
        }
        Wanted::Other(kind, uuid) => (kind, uuid),
    };
    let found = match kind {
        RecordKind::Project if uuid != project => None,
        RecordKind::Project => {
            let sql = "SELECT name FROM project WHERE account = ?1 AND uuid = ?2";
            let params = params![account.0, uuid.as_bytes()];
            first(connection, sql, params, |row| {
                let name = row.get(0)?;
                Ok(Record::Project(ProjectRecord { uuid, name }))
            })?
        }
        RecordKind::Definition => definition(connection, account, project, uuid)?,
        RecordKind::Ensemble => ensemble(connection, account, project, uuid)?,
        RecordKind::Benchmark => benchmark(connection, account, project, uuid)?,
        kind => stored(connection, account, project, kind, uuid)?,
    };
    match found {
        Some(other) if other.uuid() != uuid => {
            Err(SqliteError::corrupt(kind.as_str(), OTHER_CONTENT))
        }
        found => Ok(found),
    }
}

fn definition(
    connection: &Connection,
    account: Account,
    project: Uuid,
    identity: Uuid,
) -> SqliteResult<Option<Record>> {
    let sql = "SELECT added, text FROM definition
         WHERE account = ?1 AND identity = ?2 AND project = ?3 ORDER BY added, uuid LIMIT 1";
    let params = params![account.0, identity.as_bytes(), project.as_bytes()];
    let found = first(connection, sql, params, |row| {
        Ok((time(row, 0)?, row.get::<_, String>(1)?))
    })?;
    let Some((added, text)) = found else {
        return Ok(None);
    };
    let definition =
        json::parse(&text).map_err(|error| SqliteError::corrupt("definition", error))?;
    Ok(Some(Record::Definition(DefinitionRecord {
        project,
        added,
        definition,
    })))
}

fn ensemble(
    connection: &Connection,
    account: Account,
    project: Uuid,
    identity: Uuid,
) -> SqliteResult<Option<Record>> {
    let sql = "SELECT definition.identity, ensemble.added, ensemble.name, ensemble.size,
             ensemble.seed, ensemble.sampler_version, ensemble.digest, packed_rows.gzip
         FROM ensemble
         CROSS JOIN definition ON definition.account = ensemble.account
             AND definition.uuid = ensemble.definition
         LEFT JOIN packed_rows ON packed_rows.account = ensemble.account
             AND packed_rows.ensemble = ensemble.uuid AND ensemble.sampler_version = ?4
         WHERE ensemble.account = ?1 AND ensemble.identity = ?2 AND definition.project = ?3
         ORDER BY ensemble.added, ensemble.uuid LIMIT 1";
    let params = params![account.0, identity.as_bytes(), project.as_bytes(), GIVEN];
    let read = |row: &Row<'_>| {
        let drawn = RowSource::Drawn {
            seed: row.get::<_, i64>(4)?.cast_unsigned(),
            sampler_version: row.get(5)?,
        };
        let ensemble = EnsembleRecord {
            definition: uuid(row, 0)?,
            added: time(row, 1)?,
            name: row.get(2)?,
            size: size(row, 3)?,
            rows: drawn,
            digest: row.get(6)?,
        };
        Ok((ensemble, row.get::<_, Option<Vec<u8>>>(7)?))
    };
    let Some((mut ensemble, gzip)) = first(connection, sql, params, read)? else {
        return Ok(None);
    };
    if let Some(gzip) = gzip {
        let rows = PackedRows::from_gzip(gzip).rows();
        let rows = rows.map_err(|error| SqliteError::corrupt("ensemble", error))?;
        let rows = Outputs::from_canonical(rows);
        ensemble.rows =
            RowSource::Given(rows.map_err(|error| SqliteError::corrupt("ensemble", error))?);
    }
    Ok(Some(Record::Ensemble(ensemble)))
}

fn benchmark(
    connection: &Connection,
    account: Account,
    project: Uuid,
    identity: Uuid,
) -> SqliteResult<Option<Record>> {
    let sql = "SELECT ensemble.identity, benchmark.added, outputs.text
         FROM benchmark
         CROSS JOIN ensemble ON ensemble.account = benchmark.account
             AND ensemble.uuid = benchmark.ensemble
         CROSS JOIN definition ON definition.account = ensemble.account
             AND definition.uuid = ensemble.definition
         CROSS JOIN outputs ON outputs.account = benchmark.account
             AND outputs.benchmark = benchmark.uuid
         WHERE benchmark.account = ?1 AND benchmark.identity = ?2 AND definition.project = ?3
         ORDER BY benchmark.added, benchmark.uuid LIMIT 1";
    let params = params![account.0, identity.as_bytes(), project.as_bytes()];
    let found = first(connection, sql, params, |row| {
        Ok((uuid(row, 0)?, time(row, 1)?, row.get::<_, String>(2)?))
    })?;
    let Some((ensemble, added, text)) = found else {
        return Ok(None);
    };
    let outputs = Outputs::from_canonical(text);
    Ok(Some(Record::Benchmark(BenchmarkRecord {
        ensemble,
        added,
        outputs: outputs.map_err(|error| SqliteError::corrupt("benchmark", error))?,
    })))
}

/// An assertion at one of these times, of any benchmark with that identity.
pub(super) fn assertion(
    connection: &Connection,
    account: Account,
    identity: Uuid,
    times: RangeInclusive<Timestamp>,
    uuid: Uuid,
) -> SqliteResult<Option<AssertionRecord>> {
    let sql = "SELECT assertion.asserted, assertion.run, assertion.timestamp
         FROM benchmark CROSS JOIN assertion ON assertion.account = benchmark.account
             AND assertion.benchmark = benchmark.uuid
         WHERE benchmark.account = ?1 AND benchmark.identity = ?2
             AND assertion.timestamp BETWEEN ?3 AND ?4 AND assertion.uuid = ?5";
    let params = params![
        account.0,
        identity.as_bytes(),
        times.start().as_micros(),
        times.end().as_micros(),
        uuid.as_bytes()
    ];
    let found = first(connection, sql, params, |row| {
        Ok((row.get(0)?, row.get::<_, Option<String>>(1)?, time(row, 2)?))
    })?;
    let Some((asserted, run, time)) = found else {
        return Ok(None);
    };
    let run = match run {
        None => None,
        Some(text) => Some(
            RunRecord::from_text(&text)
                .map_err(|error| SqliteError::corrupt("assertion", error))?,
        ),
    };
    Ok(Some(AssertionRecord {
        uuid,
        benchmark: identity,
        time,
        asserted,
        run,
    }))
}

/// A record that is stored as it is.
pub(super) fn stored(
    connection: &Connection,
    account: Account,
    project: Uuid,
    kind: RecordKind,
    uuid: Uuid,
) -> SqliteResult<Option<Record>> {
    let sql = format!(
        "SELECT body FROM record
         WHERE account = ?1 AND project = ?2 AND kind = ?3 AND uuid = ?4 AND {IS_THERE}"
    );
    let params = params![
        account.0,
        project.as_bytes(),
        kind.as_str(),
        uuid.as_bytes()
    ];
    let found = first(connection, &sql, params, |row| row.get::<_, String>(0))?;
    let Some(body) = found else { return Ok(None) };
    let value = json::parse(&body).map_err(|error| SqliteError::corrupt("record", error))?;
    let record =
        Record::from_json(&value).map_err(|error| SqliteError::corrupt("record", error))?;
    Ok(Some(record))
}
