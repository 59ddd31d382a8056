//! Reads records from the local store.

use tdg_definition::json;
use tdg_engine::output::Outputs;
use tdg_engine::store::records::{
    AssertionFinder, AssertionRow, BenchmarkRow, EnsembleRow, Tables,
};
use uuid::Uuid;

use super::index::{Index, IndexEntry};
use crate::record::{
    AssertionRecord, BenchmarkRecord, DecisionRecord, DefinitionRecord, EnsembleRecord,
    ProjectRecord, Record, RecordKind, RevivalRecord, RowSource, RunRecord, TestRecord,
    TombstoneRecord, identity,
};
use crate::sync::{BenchmarkHistory, HistoryQuestion, Wanted};
use crate::{Result, ServiceError, Timestamp};

/// The number of assertions, of records and of their bytes after which an answer ends.
const ASSERTIONS: usize = 20_000;
const RECORDS: usize = 500;
const BYTES: usize = 8 << 20;

pub(super) fn histories(
    tables: &Tables<'_>,
    index: &Index,
    questions: &[HistoryQuestion],
) -> Result<Vec<BenchmarkHistory>> {
    let mut histories = Vec::new();
    let mut read = 0;
    for question in questions {
        let (kept_since, times) = history(tables, index, question)?;
        read += times.len();
        let listed = times.partition_point(|(time, _)| *time < question.listed_from);
        histories.push(BenchmarkHistory {
            kept_since,
            digest: times[..listed].iter().map(|(_, uuid)| *uuid).collect(),
            listed: times[listed..].to_vec(),
        });
        if read >= ASSERTIONS {
            break;
        }
    }
    Ok(histories)
}

fn history(
    tables: &Tables<'_>,
    index: &Index,
    question: &HistoryQuestion,
) -> Result<(Timestamp, Vec<(Timestamp, Uuid)>)> {
    let rows = rows(index, question.benchmark);
    let kept_since = kept_since(tables, &rows)?;
    let since = question.since.max(kept_since).as_micros();
    let mut times = Vec::new();
    for row in rows {
        let of_row = tables.times(row.id, since)?.into_iter();
        times.extend(of_row.map(|(time, uuid)| (Timestamp::from_micros(time), uuid)));
    }
    times.retain(|(_, uuid)| index.deleted(&[*uuid]).is_none());
    times.sort_unstable();
    Ok((kept_since, times))
}

/// Returns the time since when every row of a benchmark has all of its assertions.
fn kept_since(tables: &Tables<'_>, rows: &[BenchmarkRow]) -> Result<Timestamp> {
    let mut latest = Timestamp::MIN;
    for row in rows {
        if let Some(time) = tables.history(row.id)?.kept_since {
            latest = latest.max(Timestamp::from_micros(time));
        }
    }
    Ok(latest)
}

/// Returns the rows of a benchmark, without the rows of deleted tests. Empty if it is gone.
fn rows(index: &Index, benchmark: Uuid) -> Vec<BenchmarkRow> {
    let entry = index.benchmarks.get(&benchmark);
    let rows = entry
        .filter(|entry| entry.gone.is_none())
        .map(|it| it.rows.iter());
    let is_live = |row: &&BenchmarkRow| {
        let test = row.test.and_then(|test| index.test(test));
        test.is_none_or(|(test, _)| index.gone(RecordKind::Test, *test).is_none())
    };
    rows.into_iter()
        .flatten()
        .filter(is_live)
        .copied()
        .collect()
}

pub(super) fn records(
    tables: &Tables<'_>,
    index: &Index,
    project: &ProjectRecord,
    wanted: &[Wanted],
) -> Result<Vec<Option<Record>>> {
    let mut assertions = tables.assertions()?;
    let mut records = Vec::new();
    let mut bytes = 0;
    for wanted in wanted.iter().take(RECORDS) {
        let record = match *wanted {
            Wanted::Assertion(benchmark, time, uuid) => {
                let found = assertion(&mut assertions, index, benchmark, time, uuid)?;
                found.map(Record::Assertion)
            }
            Wanted::Other(kind, uuid) => find(tables, index, project, kind, uuid)?,
        };
        bytes += record.as_ref().map_or(0, size);
        records.push(record);
        if bytes >= BYTES {
            break;
        }
    }
    Ok(records)
}

/// Estimates the size of a record in bytes.
fn size(record: &Record) -> usize {
    const SMALL: usize = 300;
    SMALL + record.large_bytes()
}

fn assertion(
    assertions: &mut AssertionFinder<'_>,
    index: &Index,
    benchmark: Uuid,
    time: Timestamp,
    uuid: Uuid,
) -> Result<Option<AssertionRecord>> {
    if index.deleted(&[uuid]).is_some() {
        return Ok(None);
    }
    let time = time.as_micros();
    for row in rows(index, benchmark) {
        if let Some(found) = assertions.find(row.id, time..=time, uuid)? {
            let test = row.test.and_then(|test| Some(index.test(test)?.0));
            return Ok(Some(assertion_record(found, benchmark, test)));
        }
    }
    Ok(None)
}

fn assertion_record(row: AssertionRow, benchmark: Uuid, test: Option<Uuid>) -> AssertionRecord {
    AssertionRecord {
        uuid: row.uuid,
        benchmark,
        time: Timestamp::from_micros(row.timestamp),
        asserted: row.asserted,
        run: Option::zip(test, row.facts).map(|(test, facts)| RunRecord { test, facts }),
    }
}

/// Finds a record other than an assertion.
pub(super) fn find(
    tables: &Tables<'_>,
    index: &Index,
    project: &ProjectRecord,
    kind: RecordKind,
    uuid: Uuid,
) -> Result<Option<Record>> {
    fn live<R>(entry: Option<&IndexEntry<R>>) -> Option<&IndexEntry<R>> {
        entry.filter(|entry| entry.gone.is_none())
    }
    Ok(match kind {
        RecordKind::Project => {
            let is_it = uuid == project.uuid && index.deleted(&[uuid]).is_none();
            is_it.then(|| Record::Project(project.clone()))
        }
        RecordKind::Definition => match live(index.definitions.get(&uuid)) {
            Some(entry) => definition(tables, project.uuid, &entry.rows)?,
            None => None,
        },
        RecordKind::Ensemble => match live(index.ensembles.get(&uuid)) {
            Some(entry) => ensemble(tables, entry, index.foreseen.get(&uuid))?,
            None => None,
        },
        RecordKind::Test => live(index.tests.get(&uuid)).and_then(|entry| {
            let (_, test) = index.test(*entry.rows.first()?)?;
            Some(Record::Test(TestRecord {
                project: project.uuid,
                test: test.clone(),
            }))
        }),
        RecordKind::Benchmark => match live(index.benchmarks.get(&uuid)) {
            Some(entry) => benchmark(tables, entry)?,
            None => None,
        },
        RecordKind::Decision => match live(index.decisions.get(&uuid)) {
            Some(entry) => decision(tables, entry)?.map(Record::Decision),
            None => None,
        },
        RecordKind::Tombstone => tombstone(index, uuid)?.map(Record::Tombstone),
        RecordKind::Revival => {
            let revived = index.tombstones.values().filter(|it| it.is_revived);
            let mut revived = revived.map(|it| it.uuid);
            revived
                .find(|tombstone| identity::revival(*tombstone) == uuid)
                .map(|tombstone| Record::Revival(RevivalRecord { tombstone }))
        }
        RecordKind::Assertion => None,
    })
}

pub(super) fn tombstone(index: &Index, uuid: Uuid) -> Result<Option<TombstoneRecord>> {
    let found = index.tombstones.get(&uuid);
    let Some(found) = found.filter(|found| !found.is_to_come()) else {
        return Ok(None);
    };
    let kind = &found.kind;
    let unknown = |_| ServiceError::unexpected(format!("the store has a tombstone of a {kind}"));
    Ok(Some(TombstoneRecord {
        uuid,
        of: kind.parse().map_err(unknown)?,
        object: found.object,
        deleted: Timestamp::from_micros(found.deleted),
    }))
}

/// Returns the row that was added first.
fn first<T>(found: impl Iterator<Item = Result<Option<(i64, T)>>>) -> Result<Option<(i64, T)>> {
    let found: Vec<Option<(i64, T)>> = found.collect::<Result<_>>()?;
    Ok(found.into_iter().flatten().min_by_key(|(added, _)| *added))
}

fn definition(tables: &Tables<'_>, project: Uuid, rows: &[i64]) -> Result<Option<Record>> {
    let found = first(rows.iter().map(|row| Ok(tables.definition(*row)?)))?;
    let record = |(added, text): (i64, String)| {
        Some(Record::Definition(DefinitionRecord {
            project,
            added: Timestamp::from_micros(added),
            definition: json::parse(&text).ok()?,
        }))
    };
    Ok(found.and_then(record))
}

fn ensemble(
    tables: &Tables<'_>,
    entry: &IndexEntry<EnsembleRow>,
    foreseen: Option<&String>,
) -> Result<Option<Record>> {
    let found = first(entry.rows.iter().map(|row| {
        let found = tables.ensemble(row.id)?;
        Ok(found.map(|(added, name, vectors)| (added, (row, name, vectors))))
    }))?;
    let record = |(added, (row, name, vectors)): (i64, (_, _, Option<String>))| {
        let row: &EnsembleRow = row;
        let rows = match row.is_drawn {
            Some(false) => RowSource::Given(Outputs::parse(vectors.as_ref().or(foreseen)?).ok()?),
            _ => RowSource::Drawn {
                seed: row.seed,
                sampler_version: row.sampler_version,
            },
        };
        Some(Record::Ensemble(EnsembleRecord {
            definition: entry.parent,
            added: Timestamp::from_micros(added),
            name,
            size: row.size,
            rows,
            digest: row.digest.clone(),
        }))
    };
    Ok(found.and_then(record))
}

fn benchmark(tables: &Tables<'_>, entry: &IndexEntry<BenchmarkRow>) -> Result<Option<Record>> {
    let found = first(entry.rows.iter().map(|row| Ok(tables.benchmark(row.id)?)))?;
    let record = |(added, outputs): (i64, String)| {
        Some(Record::Benchmark(BenchmarkRecord {
            ensemble: entry.parent,
            added: Timestamp::from_micros(added),
            outputs: Outputs::parse(&outputs).ok()?,
        }))
    };
    Ok(found.and_then(record))
}

pub(super) fn decision(
    tables: &Tables<'_>,
    entry: &IndexEntry<super::index::IndexedDecision>,
) -> Result<Option<DecisionRecord>> {
    let Some(indexed) = entry.rows.first() else {
        return Ok(None);
    };
    let found = tables.decision(indexed.place)?;
    Ok(found.map(|it| DecisionRecord {
        uuid: it.uuid,
        test: entry.parent,
        benchmark: indexed.benchmark,
        time: Timestamp::from_micros(it.time),
        decision: it.decision,
        from: it.renamed_from,
    }))
}
