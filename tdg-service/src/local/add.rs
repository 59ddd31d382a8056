//! Adds records to the local store.

use std::collections::HashMap;

use tdg_definition::Definition;
use tdg_engine::Vectors;
use tdg_engine::output::Outputs;
use tdg_engine::store::records::{
    AddingAssertions, AssertionFinder, AssertionRow, BenchmarkRow, DecisionPlace, EnsembleRow,
    HistoryOfRow, Id, Tables, TombstoneRow,
};
use uuid::Uuid;

use super::find;
use super::index::Index;
use crate::record::{
    AssertionRecord, BenchmarkRecord, DecisionRecord, DefinitionRecord, EnsembleRecord, Record,
    RecordKind, RowSource, TombstoneRecord,
};
use crate::sync::RecordOutcome;
use crate::{Result, ServiceError, Timestamp, rules};

/// A batch of records being added.
pub(super) struct LocalImport<'t> {
    tables: &'t Tables<'t>,
    index: &'t mut Index,
    origin: Option<&'t str>,
    found: AssertionFinder<'t>,
    assertions: AddingAssertions<'t>,
    now: Timestamp,
    /// The histories of rows before the batch, each with the number of assertions added since.
    histories: HashMap<Id, (HistoryOfRow, i64)>,
}

impl<'t> LocalImport<'t> {
    pub(super) fn new(
        tables: &'t Tables<'t>,
        index: &'t mut Index,
        origin: Option<&'t str>,
    ) -> Result<Self> {
        Ok(LocalImport {
            tables,
            index,
            origin,
            found: tables.assertions()?,
            assertions: tables.adding_assertions(origin)?,
            now: Timestamp::now(),
            histories: HashMap::new(),
        })
    }

    pub(super) fn add(&mut self, record: &Record) -> Result<RecordOutcome> {
        if let Err(error) = rules::check_record(record, self.now) {
            return Ok(RecordOutcome::Refused(error.to_string()));
        }
        let parents = record.parents();
        let (kind, uuid) = (record.kind(), record.uuid());
        if !matches!(kind, RecordKind::Tombstone | RecordKind::Revival) {
            self.index.settle();
        }
        let mut objects = parents.iter().copied().chain([(kind, uuid)]);
        if let Some(gone) = objects.find_map(|(kind, uuid)| self.index.gone(kind, uuid)) {
            return Ok(RecordOutcome::Gone(gone));
        }
        let mut parents = parents.iter();
        if let Some((kind, uuid)) = parents.find(|(kind, uuid)| !self.index.has(*kind, *uuid)) {
            return Ok(RecordOutcome::missing(*kind, *uuid));
        }
        match record {
            Record::Project(_) if uuid == self.index.project => Ok(RecordOutcome::Had),
            Record::Project(_) => Ok(RecordOutcome::Refused(format!(
                "the store is of the project {}",
                self.index.project
            ))),
            Record::Definition(it) => self.definition(uuid, it),
            Record::Ensemble(it) => self.ensemble(uuid, it),
            Record::Test(_) if self.index.has(kind, uuid) => Ok(RecordOutcome::Had),
            Record::Test(it) => {
                let row = self.tables.add_test(&it.test)?;
                self.index.add_test(row, it.test.clone());
                Ok(RecordOutcome::Made)
            }
            Record::Benchmark(it) => self.benchmark(uuid, it),
            Record::Decision(it) => self.decision(it),
            Record::Assertion(it) => self.assertion(it),
            Record::Tombstone(it) => self.tombstone(it),
            Record::Revival(it) => self.revival(it.tombstone),
        }
    }

    /// Trims the histories that exceed their limits.
    pub(super) fn finish(self) -> Result<()> {
        for (row, (before, added)) in self.histories {
            if added > 0 {
                self.tables.settle(row, before, added)?;
            }
        }
        Ok(())
    }

    fn definition(&mut self, uuid: Uuid, record: &DefinitionRecord) -> Result<RecordOutcome> {
        if self.index.has(RecordKind::Definition, uuid) {
            return Ok(RecordOutcome::Had);
        }
        let text = record.definition.to_string();
        let row = self
            .tables
            .add_definition(record.added.as_micros(), &text)?;
        self.index.add_definition(uuid, row);
        Ok(RecordOutcome::Made)
    }

    fn ensemble(&mut self, uuid: Uuid, record: &EnsembleRecord) -> Result<RecordOutcome> {
        let found = self.index.ensembles.get(&uuid);
        if let Some(row) = found.and_then(|it| it.rows.first()) {
            let is_equal = row.size == record.size && row.digest == record.digest;
            return Ok(RecordOutcome::stored(is_equal));
        }
        let (seed, sampler_version, rows) = match &record.rows {
            RowSource::Drawn {
                seed,
                sampler_version,
            } => (*seed, *sampler_version, None),
            RowSource::Given(rows) => {
                if !self.are_rows(record, rows)? {
                    let refused = "its rows don't match its digest";
                    return Ok(RecordOutcome::Refused(refused.to_owned()));
                }
                (0, 0, Some(rows.as_json()))
            }
        };
        if let (Some(lacking), Some(rows)) = (self.index.without_rows.get(&uuid), rows) {
            for row in lacking {
                self.tables.give_rows(*row, rows)?;
            }
            // Another package's benchmarks on this ensemble become records now.
            self.index.is_stale = true;
        }
        let mut row = EnsembleRow {
            id: 0,
            definition: first(&self.index.definitions[&record.definition].rows)?,
            size: record.size,
            seed,
            sampler_version,
            digest: record.digest.clone(),
            is_drawn: Some(rows.is_none()),
            has_rows: rows.is_some(),
        };
        let added = record.added.as_micros();
        row.id = self.tables.add_ensemble(&row, added, &record.name, rows)?;
        self.index.add_ensemble(uuid, record.definition, row);
        Ok(RecordOutcome::Made)
    }

    /// Returns true if these are the rows of an ensemble.
    fn are_rows(&self, record: &EnsembleRecord, rows: &Outputs) -> Result<bool> {
        let definition = first(&self.index.definitions[&record.definition].rows)?;
        let (_, text) = self.tables.definition(definition)?.ok_or_else(damaged)?;
        let texts = (0..rows.len()).map(|row| rows.get(row));
        // The definition may come from a later version of tdg.
        let Ok(definition) = Definition::parse_recorded(&text) else {
            return Ok(rows.len() == record.size);
        };
        let vectors = Vectors::from_rows(&definition, texts);
        let is_theirs = |vectors: Vectors| vectors.digest() == record.digest;
        Ok(rows.len() == record.size && vectors.is_ok_and(is_theirs))
    }

    fn benchmark(&mut self, uuid: Uuid, record: &BenchmarkRecord) -> Result<RecordOutcome> {
        if self.index.has(RecordKind::Benchmark, uuid) {
            return Ok(RecordOutcome::Had);
        }
        let ensemble = first(&self.index.ensembles[&record.ensemble].rows)?;
        let (added, outputs) = (record.added.as_micros(), &record.outputs);
        if let Some(reason) = record.misfit(ensemble.size) {
            return Ok(RecordOutcome::Refused(reason));
        }
        let ensemble = ensemble.id;
        let digest = outputs.digest();
        let id = self
            .tables
            .add_benchmark(ensemble, added, &digest, outputs.as_json())?;
        let row = BenchmarkRow {
            id,
            ensemble,
            test: None,
            has_outputs: true,
        };
        self.index.add_benchmark(uuid, record.ensemble, row);
        Ok(RecordOutcome::Made)
    }

    fn decision(&mut self, record: &DecisionRecord) -> Result<RecordOutcome> {
        if let Some(entry) = self.index.decisions.get(&record.uuid) {
            let found = find::decision(self.tables, entry)?;
            let is_equal = found.as_ref() == Some(record);
            return Ok(RecordOutcome::stored(is_equal));
        }
        let test = first(&self.index.tests[&record.test].rows)?;
        let row = record
            .benchmark
            .map(|benchmark| self.row(benchmark, Some(record.test)));
        let place = DecisionPlace {
            uuid: record.uuid,
            test,
            time: record.time.as_micros(),
            benchmark: row.transpose()?.map(|row| row.id),
        };
        let decision = tdg_engine::store::StoredDecision {
            uuid: place.uuid,
            time: place.time,
            decision: record.decision.clone(),
            benchmark: None,
            renamed_from: record.from.clone(),
            origin: self.origin.map(str::to_owned),
        };
        let is_new = self.tables.add_decision(test, place.benchmark, &decision)?;
        self.index
            .add_decision(place, record.test, record.benchmark);
        Ok(RecordOutcome::added(is_new))
    }

    fn assertion(&mut self, record: &AssertionRecord) -> Result<RecordOutcome> {
        let assertion = row_of(record);
        let (first_moment, last_moment) = record.moments().into_inner();
        let moments = first_moment.as_micros()..=last_moment.as_micros();
        let rows = self.index.benchmarks[&record.benchmark].rows.clone();
        let test = record.run.as_ref().map(|run| run.test);
        for row in &rows {
            let found = self.found.find(row.id, moments.clone(), assertion.uuid)?;
            if let Some(found) = found {
                let of = row.test.and_then(|test| Some(self.index.test(test)?.0));
                let is_equal = found == assertion && of == test;
                return Ok(RecordOutcome::stored(is_equal));
            }
            let kept_since = self.history(row.id)?.0.kept_since;
            if kept_since.is_some_and(|since| assertion.timestamp < since) {
                return Ok(RecordOutcome::Had);
            }
        }
        let row = self.row(record.benchmark, test)?;
        self.history(row.id)?;
        if !self.assertions.add(row.id, &assertion)? {
            return Ok(RecordOutcome::Had);
        }
        self.history(row.id)?.1 += 1;
        Ok(RecordOutcome::Made)
    }

    /// Returns the history of a row before the batch, with the number of assertions added since.
    fn history(&mut self, row: Id) -> Result<&mut (HistoryOfRow, i64)> {
        if !self.histories.contains_key(&row) {
            self.histories.insert(row, (self.tables.history(row)?, 0));
        }
        self.histories.get_mut(&row).ok_or_else(damaged)
    }

    /// Finds or adds the row of a benchmark for a test, or for no test.
    fn row(&mut self, benchmark: Uuid, test: Option<Uuid>) -> Result<BenchmarkRow> {
        let index = &mut *self.index;
        let test = match test {
            Some(test) => Some(first(&index.tests[&test].rows)?),
            None => None,
        };
        let rows = &index.benchmarks[&benchmark].rows;
        if let Some(row) = rows.iter().find(|row| row.test == test) {
            return Ok(*row);
        }
        let unused = rows.iter().find(|row| row.test.is_none()).copied();
        let any = unused.map_or_else(|| first(rows), Ok)?;
        let row = match test {
            Some(test) => {
                let (_, identity) = index.test(test).ok_or_else(damaged)?;
                self.tables.benchmark_of_test(any, test, identity)?
            }
            None => {
                let content = self.tables.benchmark(any.id)?.ok_or_else(damaged)?;
                let outputs = Outputs::parse(&content.1);
                let outputs = outputs.map_err(|error| damaged().caused_by(error))?;
                let digest = outputs.digest();
                let id = self
                    .tables
                    .add_benchmark(any.ensemble, content.0, &digest, &content.1)?;
                BenchmarkRow {
                    id,
                    test: None,
                    ..any
                }
            }
        };
        let entry = index.benchmarks.get_mut(&benchmark).ok_or_else(damaged)?;
        entry.rows.retain(|it| it.id != row.id);
        entry.rows.push(row);
        Ok(row)
    }

    fn tombstone(&mut self, record: &TombstoneRecord) -> Result<RecordOutcome> {
        let is_here = |kind: &RecordKind| self.index.has(*kind, record.object);
        let kinds = RecordKind::ALL.into_iter();
        let kind = kinds
            .filter(|kind| *kind != RecordKind::Tombstone)
            .find(is_here);
        let project = self.index.project;
        if let Some(reason) = record.misfit(project, kind.map(|kind| (kind, project))) {
            return Ok(RecordOutcome::Refused(reason));
        }
        let found = self.index.tombstones.get(&record.uuid);
        let tombstone = TombstoneRow {
            uuid: record.uuid,
            kind: record.of.as_str().to_owned(),
            object: record.object,
            deleted: record.deleted.as_micros(),
            is_revived: found.is_some_and(|found| found.is_revived),
        };
        if let Some(found) = found.filter(|found| !found.is_to_come()) {
            return Ok(RecordOutcome::stored(*found == tombstone));
        }
        self.tables.add_tombstone(&tombstone)?;
        self.index.bury(tombstone);
        Ok(RecordOutcome::Made)
    }

    fn revival(&mut self, tombstone: Uuid) -> Result<RecordOutcome> {
        match self.index.tombstones.get(&tombstone) {
            Some(found) if found.is_revived => return Ok(RecordOutcome::Had),
            Some(_) => {
                self.tables.revive(tombstone)?;
                self.index.revive(tombstone);
            }
            None => {
                let to_come = TombstoneRow::to_come(tombstone);
                self.tables.add_tombstone(&to_come)?;
                self.index.bury(to_come);
            }
        }
        Ok(RecordOutcome::Made)
    }
}

fn row_of(record: &AssertionRecord) -> AssertionRow {
    AssertionRow {
        uuid: record.uuid,
        timestamp: record.time.as_micros(),
        asserted: record.asserted,
        facts: record.run.as_ref().map(|run| run.facts.clone()),
    }
}

/// Returns the first row of an indexed object, which always has one.
fn first<R: Clone>(rows: &[R]) -> Result<R> {
    rows.first().cloned().ok_or_else(damaged)
}

fn damaged() -> ServiceError {
    ServiceError::unexpected("a record in the store lacks one of its rows")
}
