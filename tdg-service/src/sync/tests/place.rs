//! In-memory places, and unreliable connections to them.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use crate::record::{Record, RecordKind, SetDigests, TombstoneRecord};
use crate::sync::wire::MissingResponse;
use crate::sync::{
    BenchmarkHistory, HistoryQuestion, RecordOutcome, Replica, StoreReplica, Wanted,
};
use crate::{Result, ServiceError, Timestamp};

/// The records of a place.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Place {
    pub(super) stored: BTreeMap<Uuid, Record>,
    kept_since: BTreeMap<Uuid, Timestamp>,
    /// The maximum number of assertions of a benchmark, if limited.
    history: Option<usize>,
    /// Set if deleted objects are removed.
    removes: bool,
    refuses: Option<Uuid>,
}

impl Place {
    pub(super) fn store() -> Place {
        Place {
            history: Some(6),
            ..Place::default()
        }
    }

    pub(super) fn server() -> Place {
        Place {
            removes: true,
            ..Place::default()
        }
    }

    pub(super) fn refusing(uuid: Uuid) -> Place {
        Place {
            refuses: Some(uuid),
            ..Place::default()
        }
    }

    /// Returns the deleted objects that have not been revived.
    fn deleted(&self) -> BTreeSet<Uuid> {
        let mut deleted = BTreeMap::new();
        for record in self.stored.values() {
            if let Record::Tombstone(it) = record {
                deleted.insert(it.uuid, it.object);
            }
        }
        for record in self.stored.values() {
            if let Record::Revival(it) = record {
                deleted.remove(&it.tombstone);
            }
        }
        deleted.into_values().collect()
    }

    /// Returns true if an object, or one that it belongs to, was deleted.
    pub(super) fn is_dead(&self, uuid: Uuid) -> bool {
        self.belongs_to(uuid, &self.deleted())
    }

    fn belongs_to(&self, uuid: Uuid, deleted: &BTreeSet<Uuid>) -> bool {
        let parents = || {
            self.stored
                .get(&uuid)
                .map(Record::parents)
                .unwrap_or_default()
        };
        let is_in = |(_, parent): (_, Uuid)| self.belongs_to(parent, deleted);
        !deleted.is_empty() && (deleted.contains(&uuid) || parents().into_iter().any(is_in))
    }

    /// Returns all records that aren't deleted, by identity.
    pub(super) fn live(&self) -> impl Iterator<Item = (Uuid, &Record)> {
        let deleted = self.deleted();
        let is_live = move |uuid, record| is_deletion(record) || !self.belongs_to(uuid, &deleted);
        let stored = self.stored.iter().map(|(uuid, record)| (*uuid, record));
        stored.filter(move |(uuid, record)| is_live(*uuid, record))
    }

    /// Returns the assertions of a benchmark in order.
    pub(super) fn history(&self, benchmark: Uuid) -> Vec<(Timestamp, Uuid)> {
        let mut history: Vec<_> = self
            .stored
            .values()
            .filter_map(|it| match it {
                Record::Assertion(it) if it.benchmark == benchmark => Some((it.time, it.uuid)),
                _ => None,
            })
            .collect();
        history.sort();
        history
    }

    pub(super) fn kept_since(&self, benchmark: Uuid) -> Timestamp {
        let kept = self.kept_since.get(&benchmark);
        kept.copied().unwrap_or(Timestamp::MIN)
    }

    pub(super) fn add(&mut self, record: &Record) -> RecordOutcome {
        let uuid = record.uuid();
        let parents = record.parents();
        let mut named = parents.iter().map(|(_, it)| *it).chain([uuid]);
        if let Some(dead) = named.find(|it| self.is_dead(*it)) {
            return RecordOutcome::Gone(dead);
        }
        if let Some((kind, parent)) = parents.iter().find(|(_, it)| !self.stored.contains_key(it)) {
            return RecordOutcome::Refused(format!("there is no {kind} {parent}"));
        }
        if self.refuses == Some(uuid) {
            return RecordOutcome::Refused("no".to_owned());
        }
        if let Some(found) = self.stored.get(&uuid) {
            return if found == record {
                RecordOutcome::Had
            } else {
                RecordOutcome::Differs
            };
        }
        if let Record::Assertion(it) = record
            && it.time < self.kept_since(it.benchmark)
        {
            return RecordOutcome::Had;
        }
        self.stored.insert(uuid, record.clone());
        if let (Record::Assertion(it), Some(most)) = (record, self.history) {
            self.trim(it.benchmark, most);
        }
        if self.removes && record.kind() == RecordKind::Tombstone {
            self.remove_dead();
        }
        RecordOutcome::Made
    }

    /// Trims a benchmark's oldest assertions to `most`. Equal times are removed together.
    pub(super) fn trim(&mut self, benchmark: Uuid, most: usize) {
        let history = self.history(benchmark);
        let Some(over) = history.len().checked_sub(most + 1) else {
            return;
        };
        let last = history[over].0;
        for (_, uuid) in history.iter().filter(|(time, _)| *time <= last) {
            self.stored.remove(uuid);
        }
        self.kept_since
            .insert(benchmark, Timestamp::from_micros(last.as_micros() + 1));
    }

    fn remove_dead(&mut self) {
        let live: BTreeSet<Uuid> = self.live().map(|(uuid, _)| uuid).collect();
        self.stored.retain(|uuid, _| live.contains(uuid));
    }
}

fn is_deletion(record: &Record) -> bool {
    matches!(record, Record::Tombstone(_) | Record::Revival(_))
}

/// A place behind a connection.
pub(super) struct Connected<'p> {
    place: &'p RefCell<Place>,
    /// Two bits per call: success, lost before it, lost after a part of it, or done twice.
    faults: Cell<u64>,
    /// The maximum number of elements that an answer covers.
    most: usize,
    /// The number of calls, and of records in calls to add them.
    pub(super) calls: Cell<usize>,
    pub(super) added: Cell<usize>,
}

impl<'p> Connected<'p> {
    pub(super) fn to(place: &'p RefCell<Place>) -> Self {
        Connected {
            place,
            faults: Cell::new(0),
            most: 3,
            calls: Cell::new(0),
            added: Cell::new(0),
        }
    }

    pub(super) fn with_faults(place: &'p RefCell<Place>, faults: u64) -> Self {
        Connected {
            faults: Cell::new(faults),
            ..Self::to(place)
        }
    }

    pub(super) fn with_most(place: &'p RefCell<Place>, most: usize) -> Self {
        Connected {
            most,
            ..Self::to(place)
        }
    }

    fn fault(&self) -> u64 {
        self.calls.set(self.calls.get() + 1);
        let faults = self.faults.get();
        self.faults.set(faults >> 2);
        faults & 3
    }

    fn read<T>(&self, read: impl FnOnce(&Place) -> T) -> Result<T> {
        match self.fault() {
            1 | 2 => Err(ServiceError::unavailable("lost")),
            _ => Ok(read(&self.place.borrow())),
        }
    }
}

impl Replica for Connected<'_> {
    fn digests(&self) -> Result<BTreeMap<RecordKind, SetDigests>> {
        self.read(|place| {
            let mut kinds: BTreeMap<RecordKind, Vec<Uuid>> = BTreeMap::new();
            for (uuid, record) in place.live() {
                kinds.entry(record.kind()).or_default().push(uuid);
            }
            let digests = kinds.into_iter();
            digests
                .map(|(kind, uuids)| (kind, uuids.into_iter().collect()))
                .collect()
        })
    }

    fn identities(&self, kind: RecordKind, parts: &[u8]) -> Result<Vec<Uuid>> {
        self.read(|place| {
            let of_kind = place.live().filter(|(_, record)| record.kind() == kind);
            let uuids = of_kind.map(|(uuid, _)| uuid);
            uuids
                .filter(|it| parts.contains(&SetDigests::part(*it)))
                .collect()
        })
    }

    fn missing(&self, kind: RecordKind, identities: &[Uuid]) -> Result<MissingResponse> {
        self.read(|place| {
            let of_kind = place.live().filter(|(_, record)| record.kind() == kind);
            let there: BTreeSet<Uuid> = of_kind.map(|(uuid, _)| uuid).collect();
            let absent = identities.iter().copied().filter(|it| !there.contains(it));
            let (gone, missing) = absent.partition(|it| place.is_dead(*it));
            MissingResponse { missing, gone }
        })
    }

    fn histories(&self, questions: &[HistoryQuestion]) -> Result<Vec<BenchmarkHistory>> {
        self.read(|place| {
            let answer = |it: &HistoryQuestion| {
                let kept_since = place.kept_since(it.benchmark);
                let since = it.since.max(kept_since);
                let all = place.history(it.benchmark).into_iter();
                let (listed, older): (Vec<_>, Vec<_>) = all
                    .filter(|(time, _)| *time >= since)
                    .partition(|(time, _)| *time >= it.listed_from);
                BenchmarkHistory {
                    kept_since,
                    digest: older.into_iter().map(|(_, uuid)| uuid).collect(),
                    listed,
                }
            };
            questions.iter().take(self.most).map(answer).collect()
        })
    }

    fn records(&self, wanted: &[Wanted]) -> Result<Vec<Option<Record>>> {
        self.read(|place| {
            let find = |wanted: &Wanted| {
                let uuid = wanted.uuid();
                let found = place.stored.get(&uuid)?;
                let is_live = is_deletion(found) || !place.is_dead(uuid);
                is_live.then(|| found.clone())
            };
            wanted.iter().take(self.most).map(find).collect()
        })
    }

    fn add(&self, records: &[Record]) -> Result<Vec<RecordOutcome>> {
        self.added.set(self.added.get() + records.len());
        let mut place = self.place.borrow_mut();
        let mut add = |records: &[Record]| records.iter().map(|it| place.add(it)).collect();
        match self.fault() {
            1 => Err(ServiceError::unavailable("lost")),
            2 => {
                let _: Vec<RecordOutcome> = add(&records[..records.len() / 2]);
                Err(ServiceError::unavailable("lost"))
            }
            3 => {
                let _: Vec<RecordOutcome> = add(records);
                Ok(add(records))
            }
            _ => Ok(add(records)),
        }
    }
}

impl StoreReplica for Connected<'_> {
    fn benchmarks(&self, tests: &BTreeSet<Uuid>) -> Result<Vec<Uuid>> {
        self.read(|place| {
            let of_test = |record: &Record| match record {
                Record::Assertion(it) => {
                    it.run.as_ref().is_some_and(|run| tests.contains(&run.test))
                }
                _ => false,
            };
            let runs = place
                .live()
                .map(|(_, record)| record)
                .filter(|it| of_test(it));
            let benchmarks: BTreeSet<Uuid> = runs.map(|it| it.parents()[0].1).collect();
            benchmarks.into_iter().collect()
        })
    }

    fn deleted(&self, _: Option<&BTreeSet<Uuid>>) -> Result<Vec<TombstoneRecord>> {
        self.read(|place| {
            let deleted = place.deleted();
            let stored = place.stored.values().filter_map(|it| match it {
                Record::Tombstone(it) => Some(it.clone()),
                _ => None,
            });
            let is_stored = |it: &TombstoneRecord| place.stored.contains_key(&it.object);
            stored
                .filter(|it| deleted.contains(&it.object) && is_stored(it))
                .collect()
        })
    }

    fn prunable(&self, tombstones: &[TombstoneRecord]) -> Result<u64> {
        Ok(tombstones.len() as u64)
    }

    fn prune(&self, _: &[TombstoneRecord]) -> Result<()> {
        self.place.borrow_mut().remove_dead();
        Ok(())
    }
}
