//! Records that are stored.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use deadpool_postgres::GenericClient;
use tdg_definition::json;
use tdg_engine::output::Outputs;
use tdg_service::record::{
    AssertionRecord, BenchmarkRecord, DefinitionRecord, EnsembleRecord, ProjectRecord, Record,
    RecordKind, RowSource, RunRecord,
};
use tdg_service::sync::{HistoryQuestion, Wanted};
use tdg_service::{ServiceObject, Timestamp, Uuid};
use tokio_postgres::Row;

use super::super::error::{PostgresError, PostgresResult};
use super::super::statement::{Param, all, first, size, time};
use crate::database::Account;
use crate::database::records::{AssertionsSince, GIVEN, IS_THERE, OTHER_CONTENT, log_damage};
use crate::packed_rows::PackedRows;

/// How many assertions are read at once, and how many records are looked up by one statement.
const PART: i64 = 10_000;
pub(super) const TOGETHER: usize = 250;

/// The assertions of all benchmarks with that identity, from a time on.
pub(super) async fn assertions(
    client: &impl GenericClient,
    account: Account,
    question: &HistoryQuestion,
) -> PostgresResult<AssertionsSince> {
    let benchmarks = benchmarks(client, account, question.benchmark).await?;
    let kept_since = benchmarks.iter().map(|(_, kept)| *kept).max();
    let kept_since = kept_since.unwrap_or(Timestamp::MIN);
    let since = question.since.max(kept_since);
    let sql = "SELECT timestamp, uuid FROM assertion
         WHERE account = $1 AND benchmark = $2 AND (timestamp, uuid) > ($3, $4)
         ORDER BY timestamp, uuid LIMIT $5";
    let mut entries = Vec::new();
    for (benchmark, _) in &benchmarks {
        let (mut time_before, mut uuid_before) = (since.as_micros().saturating_sub(1), Uuid::max());
        loop {
            let params: [Param<'_>; 5] = [&account.0, benchmark, &time_before, &uuid_before, &PART];
            let rows = all(client, sql, &params).await?;
            for row in &rows {
                (time_before, uuid_before) = (row.try_get(0)?, row.try_get(1)?);
                entries.push((Timestamp::from_micros(time_before), uuid_before));
            }
            if (rows.len() as i64) < PART {
                break;
            }
        }
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
pub(super) async fn benchmarks(
    client: &impl GenericClient,
    account: Account,
    identity: Uuid,
) -> PostgresResult<Vec<(Uuid, Timestamp)>> {
    let sql = "SELECT uuid, kept_since FROM benchmark WHERE account = $1 AND identity = $2
         ORDER BY added, uuid";
    let rows = all(client, sql, &[&account.0, &identity]).await?;
    let read = rows
        .iter()
        .map(|row| Ok((row.try_get(0)?, kept_since(row, 1)?)));
    read.collect()
}

/// Since when a benchmark keeps its assertions.
pub(super) fn kept_since(row: &Row, column: usize) -> PostgresResult<Timestamp> {
    let kept: Option<i64> = row.try_get(column)?;
    Ok(kept.map_or(Timestamp::MIN, Timestamp::from_micros))
}

/// The first of these records, at least one, and no more after that many bytes.
pub(super) async fn records(
    client: &impl GenericClient,
    account: Account,
    project: Uuid,
    wanted: &[Wanted],
    bytes: usize,
) -> PostgresResult<Vec<Option<Record>>> {
    let mut found = Vec::new();
    let mut left = bytes;
    let is_assertion = |wanted: &Wanted| matches!(wanted, Wanted::Assertion(..));
    // Assertions that follow each other are looked up together.
    for part in wanted
        .chunk_by(|one, other| is_assertion(one) && is_assertion(other))
        .flat_map(|part| part.chunks(TOGETHER))
    {
        let records = match part {
            [Wanted::Other(kind, uuid)] => {
                let found = match record(client, account, project, *kind, *uuid).await {
                    Err(PostgresError::Corrupt { source, .. }) => {
                        log_damage(part[0], &*source);
                        None
                    }
                    found => found?,
                };
                vec![found]
            }
            assertions => assertions_of(client, account, assertions).await?,
        };
        for record in records {
            let length = record.as_ref().map_or(0, |record| record.to_json().len());
            found.push(record);
            match left.checked_sub(length) {
                Some(rest) => left = rest,
                None => return Ok(found),
            }
        }
    }
    Ok(found)
}

/// All of them are assertions.
async fn assertions_of(
    client: &impl GenericClient,
    account: Account,
    wanted: &[Wanted],
) -> PostgresResult<Vec<Option<Record>>> {
    let sought = wanted.iter().filter_map(|wanted| match *wanted {
        Wanted::Assertion(benchmark, time, uuid) => Some(SoughtAssertion {
            benchmark,
            times: time..=time,
            uuid,
        }),
        Wanted::Other(..) => None,
    });
    let sought: Vec<SoughtAssertion> = sought.collect();
    let found = assertions_among(client, account, &sought).await?;
    let found = found
        .into_iter()
        .map(|it| ((it.benchmark, it.time, it.uuid), it));
    let found: BTreeMap<_, _> = found.collect();
    let record = |it: &SoughtAssertion| found.get(&(it.benchmark, *it.times.start(), it.uuid));
    let records = sought.iter().map(record);
    Ok(records
        .map(|it| it.cloned().map(Record::Assertion))
        .collect())
}

/// A record of the project that is no assertion, if it is there.
async fn record(
    client: &impl GenericClient,
    account: Account,
    project: Uuid,
    kind: RecordKind,
    uuid: Uuid,
) -> PostgresResult<Option<Record>> {
    let found = match kind {
        RecordKind::Project if uuid != project => None,
        RecordKind::Project => {
            let sql = "SELECT name FROM project WHERE account = $1 AND uuid = $2";
            let Some(row) = first(client, sql, &[&account.0, &uuid]).await? else {
                return Ok(None);
            };
            let name = row.try_get(0)?;
            Some(Record::Project(ProjectRecord { uuid, name }))
        }
        RecordKind::Definition => definition(client, account, project, uuid).await?,
        RecordKind::Ensemble => ensemble(client, account, project, uuid).await?,
        RecordKind::Benchmark => benchmark(client, account, project, uuid).await?,
        kind => stored(client, account, project, kind, uuid).await?,
    };
    match found {
        Some(other) if other.uuid() != uuid => {
            Err(PostgresError::corrupt(kind.as_str(), OTHER_CONTENT))
        }
        found => Ok(found),
    }
}

async fn definition(
    client: &impl GenericClient,
    account: Account,
    project: Uuid,
    identity: Uuid,
) -> PostgresResult<Option<Record>> {
    let sql = "SELECT added, text FROM definition
         WHERE account = $1 AND identity = $2 AND project = $3 ORDER BY added, uuid LIMIT 1";
    let Some(row) = first(client, sql, &[&account.0, &identity, &project]).await? else {
        return Ok(None);
    };
    let definition = json::parse(row.try_get(1)?);
    Ok(Some(Record::Definition(DefinitionRecord {
        project,
        added: time(&row, 0)?,
        definition: definition.map_err(|error| PostgresError::corrupt("definition", error))?,
    })))
}

async fn ensemble(
    client: &impl GenericClient,
    account: Account,
    project: Uuid,
    identity: Uuid,
) -> PostgresResult<Option<Record>> {
    let sql = "SELECT definition.identity, ensemble.added, ensemble.name, ensemble.size,
             ensemble.seed, ensemble.sampler_version, ensemble.digest, packed_rows.gzip
         FROM ensemble
         JOIN definition ON definition.account = ensemble.account
             AND definition.uuid = ensemble.definition
         LEFT JOIN packed_rows ON packed_rows.account = ensemble.account
             AND packed_rows.ensemble = ensemble.uuid AND ensemble.sampler_version = $4
         WHERE ensemble.account = $1 AND ensemble.identity = $2 AND definition.project = $3
         ORDER BY ensemble.added, ensemble.uuid LIMIT 1";
    let given = GIVEN.cast_signed();
    let params: [Param<'_>; 4] = [&account.0, &identity, &project, &given];
    let Some(row) = first(client, sql, &params).await? else {
        return Ok(None);
    };
    let corrupt = |error| PostgresError::corrupt("ensemble", error);
    let rows = match row.try_get::<_, Option<Vec<u8>>>(7)? {
        Some(gzip) => {
            let rows = PackedRows::from_gzip(gzip).rows();
            let rows = rows.map_err(|error| PostgresError::corrupt("ensemble", error))?;
            RowSource::Given(Outputs::from_canonical(rows).map_err(corrupt)?)
        }
        None => RowSource::Drawn {
            seed: row.try_get::<_, i64>(4)?.cast_unsigned(),
            sampler_version: row.try_get::<_, i32>(5)?.cast_unsigned(),
        },
    };
    Ok(Some(Record::Ensemble(EnsembleRecord {
        definition: row.try_get(0)?,
        added: time(&row, 1)?,
        name: row.try_get(2)?,
        size: size(&row, 3)?,
        rows,
        digest: row.try_get(6)?,
    })))
}

async fn benchmark(
    client: &impl GenericClient,
    account: Account,
    project: Uuid,
    identity: Uuid,
) -> PostgresResult<Option<Record>> {
    let sql = "SELECT ensemble.identity, benchmark.added, outputs.text
         FROM benchmark
         JOIN ensemble ON ensemble.account = benchmark.account
             AND ensemble.uuid = benchmark.ensemble
         JOIN definition ON definition.account = ensemble.account
             AND definition.uuid = ensemble.definition
         JOIN outputs ON outputs.account = benchmark.account
             AND outputs.benchmark = benchmark.uuid
         WHERE benchmark.account = $1 AND benchmark.identity = $2 AND definition.project = $3
         ORDER BY benchmark.added, benchmark.uuid LIMIT 1";
    let Some(row) = first(client, sql, &[&account.0, &identity, &project]).await? else {
        return Ok(None);
    };
    let outputs = Outputs::from_canonical(row.try_get(2)?);
    Ok(Some(Record::Benchmark(BenchmarkRecord {
        ensemble: row.try_get(0)?,
        added: time(&row, 1)?,
        outputs: outputs.map_err(|error| PostgresError::corrupt("benchmark", error))?,
    })))
}

/// An assertion that may be there, of any benchmark with the identity.
pub(super) struct SoughtAssertion {
    pub(super) benchmark: Uuid,
    pub(super) times: RangeInclusive<Timestamp>,
    pub(super) uuid: Uuid,
}

/// Those of the assertions that are there.
pub(super) async fn assertions_among(
    client: &impl GenericClient,
    account: Account,
    sought: &[SoughtAssertion],
) -> PostgresResult<Vec<AssertionRecord>> {
    if sought.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "SELECT benchmark.identity, assertion.timestamp, assertion.uuid, assertion.asserted,
             assertion.run
         FROM unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::uuid[])
             AS given (identity, earliest, latest, uuid)
         JOIN benchmark ON benchmark.account = $1 AND benchmark.identity = given.identity
         JOIN assertion ON assertion.account = benchmark.account
             AND assertion.benchmark = benchmark.uuid
             AND assertion.timestamp >= given.earliest AND assertion.timestamp <= given.latest
             AND assertion.uuid = given.uuid";
    let identities: Vec<Uuid> = sought.iter().map(|it| it.benchmark).collect();
    let times = || sought.iter().map(|it| &it.times);
    let earliest: Vec<i64> = times().map(|it| it.start().as_micros()).collect();
    let latest: Vec<i64> = times().map(|it| it.end().as_micros()).collect();
    let uuids: Vec<Uuid> = sought.iter().map(|it| it.uuid).collect();
    let params: [Param<'_>; 5] = [&account.0, &identities, &earliest, &latest, &uuids];
    let rows = all(client, sql, &params).await?;
    let read = rows.iter().map(|row| {
        let (benchmark, time, uuid) = (row.try_get(0)?, time(row, 1)?, row.try_get(2)?);
        let run = row.try_get::<_, Option<&str>>(4)?.map(RunRecord::from_text);
        let run = run.transpose();
        Ok(AssertionRecord {
            uuid,
            benchmark,
            time,
            asserted: row.try_get(3)?,
            run: run.map_err(|error| PostgresError::corrupt("assertion", error))?,
        })
    });
    read.collect()
}

/// A record that is stored as it is.
pub(super) async fn stored(
    client: &impl GenericClient,
    account: Account,
    project: Uuid,
    kind: RecordKind,
    uuid: Uuid,
) -> PostgresResult<Option<Record>> {
    let sql = format!(
        "SELECT body FROM record
         WHERE account = $1 AND project = $2 AND kind = $3 AND uuid = $4 AND {IS_THERE}"
    );
    let params: [Param<'_>; 4] = [&account.0, &project, &kind.as_str(), &uuid];
    let Some(row) = first(client, &sql, &params).await? else {
        return Ok(None);
    };
    let value =
        json::parse(row.try_get(0)?).map_err(|error| PostgresError::corrupt("record", error))?;
    let record =
        Record::from_json(&value).map_err(|error| PostgresError::corrupt("record", error))?;
    Ok(Some(record))
}
