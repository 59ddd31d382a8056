//! The identities of a store's records.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use tdg_engine::TestId;
use tdg_engine::store::records::{
    BenchmarkRow, DecisionPlace, EnsembleRow, Id, Tables, TombstoneRow,
};
use uuid::Uuid;

use super::row_cache::RowCache;
use crate::Result;
use crate::record::{ProjectRecord, RecordKind, identity};

/// The identities of a store's records at one version of the store. Assertions aren't included:
/// they are found by their benchmark.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) version: (i64, i64),
    /// Set if the index has to be rebuilt.
    pub(super) is_stale: bool,
    /// Set if tombstones were added or revived since `gone` was last computed.
    is_unsettled: bool,
    pub(super) project: Uuid,
    pub(super) tombstones: BTreeMap<Uuid, TombstoneRow>,
    /// The objects of unrevived tombstones.
    deleted: HashSet<Uuid>,
    pub(super) definitions: BTreeMap<Uuid, IndexEntry<Id>>,
    pub(super) ensembles: BTreeMap<Uuid, IndexEntry<EnsembleRow>>,
    pub(super) tests: BTreeMap<Uuid, IndexEntry<Id>>,
    pub(super) benchmarks: BTreeMap<Uuid, IndexEntry<BenchmarkRow>>,
    pub(super) decisions: BTreeMap<Uuid, IndexEntry<IndexedDecision>>,
    test_of_row: HashMap<Id, (Uuid, TestId)>,
    /// Ensembles whose rows come from a file and aren't stored, with a row per package.
    pub(super) without_rows: HashMap<Uuid, Vec<Id>>,
    /// The rows of such ensembles that count as stored in a dry run.
    pub(super) foreseen: HashMap<Uuid, String>,
    /// The tests with a benchmark on such an ensemble.
    pub(super) incomplete: BTreeSet<TestId>,
    /// The rows of unreadable benchmarks, with their identity if it can be derived.
    pub(super) damaged: Vec<(BenchmarkRow, Option<Uuid>)>,
    computed: Vec<Computed>,
}

/// An object. It can have several rows, because each package has its own definitions and each test
/// its own benchmarks.
#[derive(Clone, Debug)]
pub(super) struct IndexEntry<R> {
    pub(super) rows: Vec<R>,
    /// The deleted object, either this one or one that it belongs to.
    pub(super) gone: Option<Uuid>,
    /// The object that it belongs to.
    pub(super) parent: Uuid,
}

/// A decision with its benchmark.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexedDecision {
    pub(super) place: DecisionPlace,
    pub(super) benchmark: Option<Uuid>,
}

/// A computed value that a row of the store lacks.
#[derive(Debug)]
enum Computed {
    Digest(Id, String),
    Drawn(Id, bool),
}

impl Index {
    pub(super) fn build(
        tables: &Tables<'_>,
        project: &ProjectRecord,
        memo: &mut RowCache,
    ) -> Result<Index> {
        let mut index = Index {
            version: tables.version()?,
            project: project.uuid,
            ..Index::default()
        };
        for tombstone in tables.tombstones()? {
            index.bury(tombstone);
        }
        index.settle();
        for (row, test) in tables.tests()? {
            index.add_test(row, test);
        }
        let ensembles = index.add_definitions_and_ensembles(tables, memo)?;
        let benchmarks = index.add_benchmarks(tables, memo, &ensembles)?;
        for place in tables.decisions()? {
            let benchmark = place.benchmark.map(|row| benchmarks.get(&row).copied());
            if let (Some(test), None | Some(Some(_))) = (index.test(place.test), benchmark) {
                let test = test.0;
                index.add_decision(place, test, benchmark.flatten());
            }
        }
        Ok(index)
    }

    /// Returns the identities of the ensembles by row.
    fn add_definitions_and_ensembles(
        &mut self,
        tables: &Tables<'_>,
        memo: &mut RowCache,
    ) -> Result<HashMap<Id, Uuid>> {
        let mut definitions = HashMap::new();
        for (row, uuid) in tables.definitions()? {
            if let Some(identity) = memo.definition(tables, self.project, (row, uuid))? {
                definitions.insert(row, identity);
                self.add_definition(identity, row);
            }
        }
        let mut ensembles = HashMap::new();
        for row in tables.ensembles()? {
            let Some(&definition) = definitions.get(&row.definition) else {
                continue;
            };
            let is_drawn = match row.is_drawn {
                Some(known) => known,
                None => {
                    let is_drawn = memo.is_drawn(tables, definition, &row)?;
                    self.computed.push(Computed::Drawn(row.id, is_drawn));
                    is_drawn
                }
            };
            let identity = match is_drawn {
                true => identity::ensemble(definition, row.seed, row.size, row.sampler_version),
                false => identity::rows(definition, &row.digest),
            };
            let foreseen = memo.foreseen.get(&identity).filter(|_| !row.has_rows);
            self.foreseen
                .extend(foreseen.map(|rows| (identity, rows.clone())));
            if is_drawn || row.has_rows || foreseen.is_some() {
                ensembles.insert(row.id, identity);
                let is_drawn = Some(is_drawn);
                self.add_ensemble(identity, definition, EnsembleRow { is_drawn, ..row });
            } else {
                self.without_rows.entry(identity).or_default().push(row.id);
            }
        }
        // The rows may be stored for another package.
        for (identity, rows) in &self.without_rows {
            if self.ensembles.contains_key(identity) {
                ensembles.extend(rows.iter().map(|row| (*row, *identity)));
            }
        }
        Ok(ensembles)
    }

    /// Returns the identities of the benchmarks by row.
    fn add_benchmarks(
        &mut self,
        tables: &Tables<'_>,
        memo: &mut RowCache,
        ensembles: &HashMap<Id, Uuid>,
    ) -> Result<HashMap<Id, Uuid>> {
        let mut benchmarks = HashMap::new();
        let without_rows: HashSet<Id> = self.without_rows.values().flatten().copied().collect();
        for (row, uuid, noted) in tables.benchmarks()? {
            let digest = match &noted {
                Some(noted) if !memo.reads_all || !row.has_outputs => Some(noted.clone()),
                Some(noted) => memo
                    .digest(tables, (row.id, uuid))?
                    .filter(|digest| digest == noted),
                None => {
                    let digest = memo.digest(tables, (row.id, uuid))?;
                    let computed = digest.clone();
                    self.computed
                        .extend(computed.map(|digest| Computed::Digest(row.id, digest)));
                    digest
                }
            };
            match (ensembles.get(&row.ensemble), digest) {
                (Some(&ensemble), Some(digest)) => {
                    let identity = identity::benchmark(ensemble, &digest);
                    benchmarks.insert(row.id, identity);
                    self.add_benchmark(identity, ensemble, row);
                }
                (None, Some(_)) if without_rows.contains(&row.ensemble) => {
                    let test = row.test.and_then(|test| Some(self.test(test)?.1.clone()));
                    self.incomplete.extend(test);
                }
                (ensemble, _) => {
                    let identity = |digest: String| Some(identity::benchmark(*ensemble?, &digest));
                    self.damaged.push((row, noted.and_then(identity)));
                }
            }
        }
        Ok(benchmarks)
    }

    pub(super) fn add_definition(&mut self, identity: Uuid, row: Id) {
        let gone = self.deleted(&[identity, self.project]);
        IndexEntry::add(&mut self.definitions, identity, (self.project, gone), row);
    }

    pub(super) fn add_ensemble(&mut self, identity: Uuid, definition: Uuid, row: EnsembleRow) {
        let above = self.gone(RecordKind::Definition, definition);
        let gone = self.deleted(&[identity]).or(above);
        IndexEntry::add(&mut self.ensembles, identity, (definition, gone), row);
    }

    pub(super) fn add_test(&mut self, row: Id, test: TestId) -> Uuid {
        let identity = identity::test(self.project, &test);
        let gone = self.deleted(&[identity, self.project]);
        IndexEntry::add(&mut self.tests, identity, (self.project, gone), row);
        self.test_of_row.insert(row, (identity, test));
        identity
    }

    pub(super) fn add_benchmark(&mut self, identity: Uuid, ensemble: Uuid, row: BenchmarkRow) {
        let above = self.gone(RecordKind::Ensemble, ensemble);
        let gone = self.deleted(&[identity]).or(above);
        IndexEntry::add(&mut self.benchmarks, identity, (ensemble, gone), row);
    }

    pub(super) fn add_decision(
        &mut self,
        place: DecisionPlace,
        test: Uuid,
        benchmark: Option<Uuid>,
    ) {
        let gone = self.deleted(&[place.uuid]);
        let gone = gone.or_else(|| self.gone(RecordKind::Test, test));
        let gone = gone.or_else(|| self.gone(RecordKind::Benchmark, benchmark?));
        let rows = vec![IndexedDecision { place, benchmark }];
        let parent = test;
        self.decisions
            .insert(place.uuid, IndexEntry { rows, gone, parent });
    }

    /// Adds a tombstone.
    pub(super) fn bury(&mut self, tombstone: TombstoneRow) {
        self.tombstones.insert(tombstone.uuid, tombstone);
        self.is_unsettled = true;
    }

    /// Marks a tombstone as revived.
    pub(super) fn revive(&mut self, tombstone: Uuid) {
        let tombstone = self.tombstones.get_mut(&tombstone);
        tombstone.into_iter().for_each(|it| it.is_revived = true);
        self.is_unsettled = true;
    }

    /// Recomputes which objects are gone, after tombstones were added or revived.
    pub(super) fn settle(&mut self) {
        if !self.is_unsettled {
            return;
        }
        self.is_unsettled = false;
        let hold = self.tombstones.values().filter(|it| !it.is_revived);
        let deleted: HashSet<Uuid> = hold.map(|it| it.object).collect();
        let of = |uuid: &Uuid| deleted.contains(uuid).then_some(*uuid);
        for (uuid, entry) in &mut self.definitions {
            entry.gone = of(uuid).or_else(|| of(&entry.parent));
        }
        for (uuid, entry) in &mut self.tests {
            entry.gone = of(uuid).or_else(|| of(&entry.parent));
        }
        for (uuid, entry) in &mut self.ensembles {
            let above = self.definitions.get(&entry.parent);
            entry.gone = of(uuid).or_else(|| above?.gone);
        }
        for (uuid, entry) in &mut self.benchmarks {
            let above = self.ensembles.get(&entry.parent);
            entry.gone = of(uuid).or_else(|| above?.gone);
        }
        for (uuid, entry) in &mut self.decisions {
            let test = self.tests.get(&entry.parent);
            let benchmark = entry.rows.first().and_then(|it| it.benchmark);
            let benchmark = benchmark.and_then(|uuid| self.benchmarks.get(&uuid));
            entry.gone = of(uuid).or_else(|| test?.gone).or_else(|| benchmark?.gone);
        }
        self.deleted = deleted;
    }

    /// Returns the identity and name of the test in a row.
    pub(super) fn test(&self, row: Id) -> Option<&(Uuid, TestId)> {
        self.test_of_row.get(&row)
    }

    /// Returns the first of these objects that was deleted, if any.
    pub(super) fn deleted(&self, objects: &[Uuid]) -> Option<Uuid> {
        let mut objects = objects.iter().copied();
        objects.find(|object| self.deleted.contains(object))
    }

    /// Returns the deleted object if `uuid`, or an object that it belongs to, was deleted.
    pub(super) fn gone(&self, kind: RecordKind, uuid: Uuid) -> Option<Uuid> {
        let found = match kind {
            RecordKind::Definition => self.definitions.get(&uuid).map(|it| it.gone),
            RecordKind::Ensemble => self.ensembles.get(&uuid).map(|it| it.gone),
            RecordKind::Test => self.tests.get(&uuid).map(|it| it.gone),
            RecordKind::Benchmark => self.benchmarks.get(&uuid).map(|it| it.gone),
            RecordKind::Decision => self.decisions.get(&uuid).map(|it| it.gone),
            _ => None,
        };
        found.unwrap_or_else(|| self.deleted(&[uuid]))
    }

    /// Returns true if an object is stored, even if it was deleted.
    pub(super) fn has(&self, kind: RecordKind, uuid: Uuid) -> bool {
        match kind {
            RecordKind::Project => uuid == self.project,
            RecordKind::Definition => self.definitions.contains_key(&uuid),
            RecordKind::Ensemble => self.ensembles.contains_key(&uuid),
            RecordKind::Test => self.tests.contains_key(&uuid),
            RecordKind::Benchmark => self.benchmarks.contains_key(&uuid),
            RecordKind::Decision => self.decisions.contains_key(&uuid),
            _ => false,
        }
    }

    /// Returns the identities of a kind other than assertions, without deleted objects.
    pub(super) fn identities(&self, kind: RecordKind) -> Vec<Uuid> {
        fn live<R>(entries: &BTreeMap<Uuid, IndexEntry<R>>) -> Vec<Uuid> {
            let live = entries.iter().filter(|(_, entry)| entry.gone.is_none());
            live.map(|(uuid, _)| *uuid).collect()
        }
        match kind {
            RecordKind::Project => match self.deleted(&[self.project]) {
                None => vec![self.project],
                Some(_) => Vec::new(),
            },
            RecordKind::Definition => live(&self.definitions),
            RecordKind::Ensemble => live(&self.ensembles),
            RecordKind::Test => live(&self.tests),
            RecordKind::Benchmark => live(&self.benchmarks),
            RecordKind::Decision => live(&self.decisions),
            RecordKind::Tombstone => {
                let known = self.tombstones.values().filter(|it| !it.is_to_come());
                known.map(|it| it.uuid).collect()
            }
            RecordKind::Revival => {
                let revived = self.tombstones.values().filter(|it| it.is_revived);
                revived.map(|it| identity::revival(it.uuid)).collect()
            }
            RecordKind::Assertion => Vec::new(),
        }
    }

    /// Writes up to `most` computed values to their rows. Returns true if any are left.
    pub(super) fn complete(&mut self, tables: &Tables<'_>, most: usize) -> Result<bool> {
        let from = self.computed.len().saturating_sub(most);
        for computed in self.computed.split_off(from) {
            match computed {
                Computed::Digest(benchmark, digest) => tables.note_digest(benchmark, &digest)?,
                Computed::Drawn(ensemble, is_drawn) => tables.note_drawn(ensemble, is_drawn)?,
            }
        }
        Ok(!self.computed.is_empty())
    }
}

impl<R> IndexEntry<R> {
    /// Adds a row to the entry of an object.
    fn add(
        entries: &mut BTreeMap<Uuid, Self>,
        object: Uuid,
        (parent, gone): (Uuid, Option<Uuid>),
        row: R,
    ) {
        let rows = Vec::new();
        let entry = entries.entry(object);
        let entry = entry.or_insert(IndexEntry { rows, gone, parent });
        entry.rows.push(row);
    }
}
