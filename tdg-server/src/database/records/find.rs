//! Finds stored records.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use tdg_definition::json;
use tdg_engine::output::Outputs;
use tdg_service::record::{
    AssertionRecord, BenchmarkRecord, DefinitionRecord, EnsembleRecord, ProjectRecord, Record,
    RecordKind, RowSource, RunRecord,
};
use tdg_service::sync::{HistoryQuestion, Wanted};
use tdg_service::{JsonForm, Timestamp, Uuid};

use super::AssertionsSince;
use super::outcome::{GIVEN, OTHER_CONTENT, is_there, log_damage};
use crate::database::error::{DatabaseError, DatabaseResult};
use crate::database::row::DatabaseRow;
use crate::database::session::ProjectSession;
use crate::database::sql::{SqlValues, column, sql};
use crate::packed_rows::PackedRows;

/// The number of assertions read at once, and of records looked up by one statement.
const PART: i64 = 10_000;
pub(super) const TOGETHER: usize = 250;

/// Returns the assertions since a time, of all benchmarks of a project with this identity.
pub(super) async fn assertions(
    project: ProjectSession<'_>,
    question: &HistoryQuestion,
) -> DatabaseResult<AssertionsSince> {
    let session = project.session;
    let benchmarks = benchmarks(project, question.benchmark).await?;
    let kept_since = benchmarks.iter().map(|(_, kept)| *kept).max();
    let kept_since = kept_since.unwrap_or(Timestamp::MIN);
    let since = question.since.max(kept_since);
    let sql = sql!(
        "SELECT timestamp, uuid FROM assertion
         WHERE account = $1 AND benchmark = $2 AND (timestamp, uuid) > ($3, $4)
         ORDER BY timestamp, uuid LIMIT $5"
    );
    let read = |row: DatabaseRow<'_>| Ok((row.time(0)?, row.get(1)?));
    let mut entries: Vec<(Timestamp, Uuid)> = Vec::new();
    for (benchmark, _) in &benchmarks {
        let mut before = (since.as_micros().saturating_sub(1), Uuid::max());
        loop {
            let values: SqlValues<'_> = &[benchmark, &before.0, &before.1, &PART];
            let part = session.all(sql, values, read).await?;
            let is_last = (part.len() as i64) < PART;
            entries.extend(part);
            match entries.last() {
                Some((time, uuid)) if !is_last => before = (time.as_micros(), *uuid),
                _ => break,
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

/// Returns the benchmarks with an identity, earliest first, and the time since which each keeps
/// assertions.
async fn benchmarks(
    project: ProjectSession<'_>,
    identity: Uuid,
) -> DatabaseResult<Vec<(Uuid, Timestamp)>> {
    let sql = sql!(
        "SELECT benchmark.uuid, benchmark.kept_since
         FROM benchmark JOIN definition ON definition.account = benchmark.account
             AND definition.uuid = benchmark.definition
         WHERE benchmark.account = $1 AND benchmark.identity = $2 AND definition.project = $3
         ORDER BY benchmark.added, benchmark.uuid"
    );
    let read = |row: DatabaseRow<'_>| Ok((row.get(0)?, kept_since(row, 1)?));
    let values: SqlValues<'_> = &[&identity, &project.project];
    project.session.all(sql, values, read).await
}

/// Reads the time since which a benchmark keeps its assertions.
pub(super) fn kept_since(row: DatabaseRow<'_>, column: usize) -> DatabaseResult<Timestamp> {
    Ok(row.optional_time(column)?.unwrap_or(Timestamp::MIN))
}

impl ProjectSession<'_> {
    /// Returns the first of these records, at least one, until their bytes reach the limit.
    pub(super) async fn records(
        self,
        wanted: &[Wanted],
        bytes: usize,
    ) -> DatabaseResult<Vec<Option<Record>>> {
        let mut found = Vec::new();
        let mut left = bytes;
        let is_assertion = |wanted: &Wanted| matches!(wanted, Wanted::Assertion(..));
        // Consecutive assertions are looked up together.
        for part in wanted
            .chunk_by(|one, other| is_assertion(one) && is_assertion(other))
            .flat_map(|part| part.chunks(TOGETHER))
        {
            let records = match part {
                [Wanted::Other(kind, uuid)] => {
                    let found = match self.record(*kind, *uuid).await {
                        Err(DatabaseError::Corrupt { source, .. }) => {
                            log_damage(part[0], &*source);
                            None
                        }
                        found => found?,
                    };
                    vec![found]
                }
                assertions => assertions_of(self, assertions).await?,
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

    /// Returns a record of the project other than an assertion, if it exists.
    async fn record(self, kind: RecordKind, uuid: Uuid) -> DatabaseResult<Option<Record>> {
        let found = match kind {
            RecordKind::Project if uuid != self.project => None,
            RecordKind::Project => {
                let sql = sql!("SELECT name FROM project WHERE account = $1 AND uuid = $2");
                let read = |row: DatabaseRow<'_>| {
                    let name = row.get(0)?;
                    Ok(Record::Project(ProjectRecord { uuid, name }))
                };
                self.session.first(sql, &[&uuid], read).await?
            }
            RecordKind::Definition => self.definition(uuid).await?,
            RecordKind::Ensemble => self.ensemble(uuid).await?,
            RecordKind::Benchmark => self.benchmark(uuid).await?,
            kind => self.stored(kind, uuid).await?,
        };
        match found {
            Some(other) if other.uuid() != uuid => {
                Err(DatabaseError::corrupt(kind.as_str(), OTHER_CONTENT))
            }
            found => Ok(found),
        }
    }

    async fn definition(self, identity: Uuid) -> DatabaseResult<Option<Record>> {
        let sql = sql!(
            "SELECT added, text FROM definition
             WHERE account = $1 AND identity = $2 AND project = $3 ORDER BY added, uuid LIMIT 1"
        );
        let read = |row: DatabaseRow<'_>| {
            let definition = json::parse(row.text(1)?);
            Ok(Record::Definition(DefinitionRecord {
                project: self.project,
                added: row.time(0)?,
                definition: definition
                    .map_err(|error| DatabaseError::corrupt("definition", error))?,
            }))
        };
        let values: SqlValues<'_> = &[&identity, &self.project];
        self.session.first(sql, values, read).await
    }

    async fn ensemble(self, identity: Uuid) -> DatabaseResult<Option<Record>> {
        let sql = sql!(
            "SELECT definition.identity, ensemble.added, ensemble.name, ensemble.size,
                 ensemble.seed, ensemble.sampler_version, ensemble.digest, packed_rows.gzip
             FROM ensemble
             JOIN definition ON definition.account = ensemble.account
                 AND definition.uuid = ensemble.definition
             LEFT JOIN packed_rows ON packed_rows.account = ensemble.account
                 AND packed_rows.ensemble = ensemble.uuid AND ensemble.sampler_version = $4
             WHERE ensemble.account = $1 AND ensemble.identity = $2 AND definition.project = $3
             ORDER BY ensemble.added, ensemble.uuid LIMIT 1"
        );
        let given = GIVEN.cast_signed();
        let values: SqlValues<'_> = &[&identity, &self.project, &given];
        self.session.first(sql, values, read_ensemble).await
    }

    async fn benchmark(self, identity: Uuid) -> DatabaseResult<Option<Record>> {
        let sql = sql!(
            "SELECT ensemble.identity, benchmark.added, outputs.text
             FROM benchmark
             JOIN ensemble ON ensemble.account = benchmark.account
                 AND ensemble.uuid = benchmark.ensemble
             JOIN definition ON definition.account = ensemble.account
                 AND definition.uuid = ensemble.definition
             JOIN outputs ON outputs.account = benchmark.account
                 AND outputs.benchmark = benchmark.uuid
             WHERE benchmark.account = $1 AND benchmark.identity = $2 AND definition.project = $3
             ORDER BY benchmark.added, benchmark.uuid LIMIT 1"
        );
        let read = |row: DatabaseRow<'_>| {
            let outputs = Outputs::from_canonical(row.get(2)?);
            Ok(Record::Benchmark(BenchmarkRecord {
                ensemble: row.get(0)?,
                added: row.time(1)?,
                outputs: outputs.map_err(|error| DatabaseError::corrupt("benchmark", error))?,
            }))
        };
        let values: SqlValues<'_> = &[&identity, &self.project];
        self.session.first(sql, values, read).await
    }

    /// Returns a record that is stored verbatim.
    pub(super) async fn stored(
        self,
        kind: RecordKind,
        uuid: Uuid,
    ) -> DatabaseResult<Option<Record>> {
        let sql = sql!(
            "SELECT body, arrived FROM record
             WHERE account = $1 AND project = $2 AND kind = $3 AND uuid = $4 AND ",
            is_there!()
        );
        let read = |row: DatabaseRow<'_>| {
            let value = json::parse(row.text(0)?);
            let value = value.map_err(|error| DatabaseError::corrupt("record", error))?;
            let mut record = Record::from_json(&value)
                .map_err(|error| DatabaseError::corrupt("record", error))?;
            if let Record::Decision(it) = &mut record {
                // The sender's value isn't trusted.
                it.decision.arrived = row.get(1)?;
            }
            Ok(record)
        };
        let values: SqlValues<'_> = &[&self.project, &kind.as_str(), &uuid];
        self.session.first(sql, values, read).await
    }
}

/// Returns records that are all assertions.
async fn assertions_of(
    project: ProjectSession<'_>,
    wanted: &[Wanted],
) -> DatabaseResult<Vec<Option<Record>>> {
    let sought = wanted.iter().filter_map(|wanted| match *wanted {
        Wanted::Assertion(benchmark, time, uuid) => Some(SoughtAssertion {
            benchmark,
            times: time..=time,
            uuid,
        }),
        Wanted::Other(..) => None,
    });
    let sought: Vec<SoughtAssertion> = sought.collect();
    let found = assertions_among(project, &sought).await?;
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

fn read_ensemble(row: DatabaseRow<'_>) -> DatabaseResult<Record> {
    let rows = match row.get::<Option<Vec<u8>>>(7)? {
        Some(gzip) => {
            let rows = PackedRows::from_gzip(gzip).rows();
            let rows = rows.map_err(|error| DatabaseError::corrupt("ensemble", error))?;
            let rows = Outputs::from_canonical(rows);
            RowSource::Given(rows.map_err(|error| DatabaseError::corrupt("ensemble", error))?)
        }
        None => RowSource::Drawn {
            seed: row.get::<i64>(4)?.cast_unsigned(),
            sampler_version: row.get::<i32>(5)?.cast_unsigned(),
        },
    };
    Ok(Record::Ensemble(EnsembleRecord {
        definition: row.get(0)?,
        added: row.time(1)?,
        name: row.get(2)?,
        size: row.size(3)?,
        rows,
        digest: row.get(6)?,
    }))
}

/// An assertion to look up, which any benchmark with the identity may have.
pub(super) struct SoughtAssertion {
    pub(super) benchmark: Uuid,
    pub(super) times: RangeInclusive<Timestamp>,
    pub(super) uuid: Uuid,
}

/// Returns the assertions that the project has.
pub(super) async fn assertions_among(
    project: ProjectSession<'_>,
    sought: &[SoughtAssertion],
) -> DatabaseResult<Vec<AssertionRecord>> {
    if sought.is_empty() {
        return Ok(Vec::new());
    }
    let sql = sql!(
        postgres: "SELECT benchmark.identity, assertion.timestamp, assertion.uuid,
             assertion.asserted, assertion.run
         FROM unnest($3::uuid[], $4::bigint[], $5::bigint[], $6::uuid[])
             AS given (identity, earliest, latest, uuid)
         JOIN benchmark ON benchmark.account = $1 AND benchmark.identity = given.identity
         JOIN definition ON definition.account = benchmark.account
             AND definition.uuid = benchmark.definition AND definition.project = $2
         JOIN assertion ON assertion.account = benchmark.account
             AND assertion.benchmark = benchmark.uuid
             AND assertion.timestamp >= given.earliest AND assertion.timestamp <= given.latest
             AND assertion.uuid = given.uuid",
        sqlite: "SELECT benchmark.identity, assertion.timestamp, assertion.uuid,
             assertion.asserted, assertion.run
         FROM benchmark CROSS JOIN definition ON definition.account = benchmark.account
             AND definition.uuid = benchmark.definition
         CROSS JOIN assertion ON assertion.account = benchmark.account
             AND assertion.benchmark = benchmark.uuid
         WHERE benchmark.account = $1 AND definition.project = $2 AND benchmark.identity = $3
             AND assertion.timestamp BETWEEN $4 AND $5 AND assertion.uuid = $6"
    );
    let identities = column(sought, |it| it.benchmark);
    let earliest = column(sought, |it| it.times.start().as_micros());
    let latest = column(sought, |it| it.times.end().as_micros());
    let uuids = column(sought, |it| it.uuid);
    let columns = [&identities as _, &earliest as _, &latest as _, &uuids as _];
    let values: SqlValues<'_> = &[&project.project];
    let found = project.session.each(sql, values, &columns, read_assertion);
    let found = found.await?;
    Ok(found.into_iter().flatten().collect())
}

/// Reads an assertion, or `None` if it is damaged.
fn read_assertion(row: DatabaseRow<'_>) -> DatabaseResult<Option<AssertionRecord>> {
    let (benchmark, time, uuid) = (row.get(0)?, row.time(1)?, row.get(2)?);
    let run = row.optional_text(4)?.map(RunRecord::from_text).transpose();
    match run {
        Ok(run) => Ok(Some(AssertionRecord {
            uuid,
            benchmark,
            time,
            asserted: row.get(3)?,
            run,
        })),
        Err(error) => {
            log_damage(Wanted::Assertion(benchmark, time, uuid), &error);
            Ok(None)
        }
    }
}
