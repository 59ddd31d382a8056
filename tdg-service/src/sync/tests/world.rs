//! Stores, the server that they share, and random events.

use std::cell::RefCell;
use std::collections::BTreeMap;

use hmac_sha256::Hash;
use proptest::prelude::*;
use tdg_definition::json::Value;
use tdg_engine::output::Outputs;
use tdg_engine::store::{Decision, DecisionKind, RunFacts};
use tdg_engine::{TestId, Verdict};
use uuid::Uuid;

use super::place::{Connected, Place};
use crate::Timestamp;
use crate::record::{
    AssertionRecord, BenchmarkRecord, DecisionRecord, DefinitionRecord, EnsembleRecord,
    ProjectRecord, Record, RecordKind, RowSource, RunRecord, TestRecord, TombstoneRecord,
};
use crate::sync::{Direction, RecordOutcome, SyncPlan, SyncSummary, synchronise};

const PROJECT: Uuid = Uuid::from_u128(7);

/// An event at one of the stores or at the server.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A run of a test, which records or finds a benchmark, at a time of its store's clock.
    Run {
        store: usize,
        test: u8,
        outputs: u8,
        clock: i64,
    },
    Decide {
        store: usize,
        test: u8,
        outputs: Option<u8>,
    },
    /// Deletes an object at the server.
    Delete {
        object: usize,
    },
    /// Trims the oldest assertions of a benchmark at the server.
    Trim {
        benchmark: usize,
        most: usize,
    },
    Sync {
        store: usize,
        direction: Direction,
        revive: bool,
        faults: u64,
    },
    Backup,
    Restore,
    Reset,
}

pub(super) fn direction() -> impl Strategy<Value = Direction> {
    prop_oneof![
        Just(Direction::Push),
        Just(Direction::Pull),
        Just(Direction::Sync)
    ]
}

pub(super) fn event(stores: usize) -> impl Strategy<Value = Event> {
    let store = 0..stores;
    let faults = prop_oneof![Just(0), any::<u64>()];
    // Clocks differ by up to a year.
    let clock = prop_oneof![Just(0), Just(31_536_000_000_000_i64), -5..5_i64];
    let outputs = proptest::option::of(0..2_u8);
    let revive = prop::bool::weighted(0.1);
    prop_oneof![
        8 => (store.clone(), 0..3_u8, 0..2_u8, clock)
            .prop_map(|(store, test, outputs, clock)| Event::Run { store, test, outputs, clock }),
        2 => (store.clone(), 0..3_u8, outputs)
            .prop_map(|(store, test, outputs)| Event::Decide { store, test, outputs }),
        1 => any::<usize>().prop_map(|object| Event::Delete { object }),
        1 => (any::<usize>(), 0..3_usize)
            .prop_map(|(benchmark, most)| Event::Trim { benchmark, most }),
        6 => (store, direction(), revive, faults).prop_map(|(store, direction, revive, faults)| {
            Event::Sync { store, direction, revive, faults }
        }),
        1 => Just(Event::Backup),
        1 => Just(Event::Restore),
        1 => Just(Event::Reset),
    ]
}

/// Returns the record of a test, which is named by its number.
pub(super) fn test(number: u8) -> Record {
    Record::Test(TestRecord {
        project: PROJECT,
        test: TestId {
            package: "shop".to_owned(),
            source: "src/lib.rs".to_owned(),
            name: number.to_string(),
        },
    })
}

/// Returns the records of a test run, parents first. The first two tests share a definition.
pub(super) fn run(number: u8, outputs: u8, uuid: Uuid, time: Timestamp) -> [Record; 6] {
    let rows = RowSource::Drawn {
        seed: 0,
        sampler_version: 1,
    };
    run_of(number, rows, outputs, uuid, time)
}

pub(super) fn run_of(
    number: u8,
    rows: RowSource,
    outputs: u8,
    uuid: Uuid,
    time: Timestamp,
) -> [Record; 6] {
    let definition = Record::Definition(DefinitionRecord {
        project: PROJECT,
        added: time,
        definition: Value::from(f64::from(number / 2)),
    });
    let ensemble = Record::Ensemble(EnsembleRecord {
        definition: definition.uuid(),
        added: time,
        name: "calm-amber-river-otter".to_owned(),
        size: 1,
        rows,
        digest: String::new(),
    });
    let benchmark = Record::Benchmark(BenchmarkRecord {
        ensemble: ensemble.uuid(),
        added: time,
        outputs: Outputs::parse(&format!("[{outputs}]")).unwrap(),
    });
    let test = test(number);
    let assertion = Record::Assertion(AssertionRecord {
        uuid,
        benchmark: benchmark.uuid(),
        time,
        asserted: true,
        run: Some(RunRecord {
            test: test.uuid(),
            facts: RunFacts::new(Verdict::Same, 1),
        }),
    });
    let project = ProjectRecord {
        uuid: PROJECT,
        name: "shop".to_owned(),
    };
    let project = Record::Project(project);
    [project, definition, ensemble, test, benchmark, assertion]
}

/// Returns a decision about a test, with the records that it refers to.
fn decision(number: u8, outputs: Option<u8>, uuid: Uuid, time: Timestamp) -> Vec<Record> {
    let run = run(number, outputs.unwrap_or_default(), uuid, time);
    let [project, definition, ensemble, test, benchmark, _] = run;
    let decision = DecisionRecord {
        uuid,
        test: test.uuid(),
        benchmark: outputs.is_some().then(|| benchmark.uuid()),
        time,
        decision: Decision::new(DecisionKind::Accepted),
        from: None,
    };
    let decision = Record::Decision(decision);
    match outputs {
        None => vec![project, test, decision],
        Some(_) => vec![project, definition, ensemble, test, benchmark, decision],
    }
}

/// Stores and the server that they share.
pub(super) struct World {
    pub(super) stores: Vec<RefCell<Place>>,
    pub(super) server: RefCell<Place>,
    backup: Place,
    /// All records ever made.
    pub(super) recorded: BTreeMap<Uuid, Record>,
    events: u128,
}

impl World {
    pub(super) fn new(stores: usize) -> Self {
        World {
            stores: (0..stores).map(|_| RefCell::new(Place::store())).collect(),
            server: RefCell::new(Place::server()),
            backup: Place::server(),
            recorded: BTreeMap::new(),
            events: 0,
        }
    }

    /// Creates a world after these events.
    pub(super) fn after(stores: usize, events: &[Event]) -> Self {
        let mut world = World::new(stores);
        events.iter().for_each(|event| world.happen(event));
        world
    }

    fn happen(&mut self, event: &Event) {
        self.events += 1;
        let mut bits = [0; 16];
        bits.copy_from_slice(&Hash::hash(&self.events.to_le_bytes())[..16]);
        let uuid = Uuid::from_bytes(bits);
        let time = |clock: i64| Timestamp::from_micros(clock + self.events as i64 / 2);
        match *event {
            Event::Run {
                store,
                test,
                outputs,
                clock,
            } => self.record(store, run(test, outputs, uuid, time(clock)).into()),
            Event::Decide {
                store,
                test,
                outputs,
            } => self.record(store, decision(test, outputs, uuid, time(0))),
            Event::Delete { object } => {
                let kinds = [
                    RecordKind::Definition,
                    RecordKind::Ensemble,
                    RecordKind::Benchmark,
                ];
                if let Some((of, object)) = self.at_server(&kinds, object) {
                    self.server
                        .borrow_mut()
                        .add(&Record::Tombstone(TombstoneRecord {
                            uuid,
                            of,
                            object,
                            deleted: time(0),
                        }));
                }
            }
            Event::Trim { benchmark, most } => {
                if let Some((_, it)) = self.at_server(&[RecordKind::Benchmark], benchmark) {
                    self.server.borrow_mut().trim(it, most);
                }
            }
            Event::Sync {
                store,
                direction,
                revive,
                faults,
            } => {
                let here = Connected::to(&self.stores[store]);
                let there = Connected::with_faults(&self.server, faults);
                let mut plan = SyncPlan::new(direction);
                plan.revive = revive;
                let _ = synchronise(&here, &there, &plan, &mut |_| {});
            }
            Event::Backup => self.backup = self.server.borrow().clone(),
            Event::Restore => *self.server.borrow_mut() = self.backup.clone(),
            Event::Reset => *self.server.borrow_mut() = Place::server(),
        }
    }

    /// Returns one of the server's objects of these kinds.
    fn at_server(&self, kinds: &[RecordKind], number: usize) -> Option<(RecordKind, Uuid)> {
        let server = self.server.borrow();
        let objects = server.live().map(|(uuid, it)| (it.kind(), uuid));
        let objects: Vec<_> = objects.filter(|(kind, _)| kinds.contains(kind)).collect();
        objects.get(number.checked_rem(objects.len())?).copied()
    }

    fn record(&mut self, store: usize, records: Vec<Record>) {
        let mut store = self.stores[store].borrow_mut();
        for record in records {
            if store.add(&record) == RecordOutcome::Made {
                self.recorded.insert(record.uuid(), record);
            }
        }
    }

    /// Synchronises all stores until nothing is left to do. Every store learns of a revival by the
    /// second round, and has the objects that others revived by the third. Returns the results of
    /// the last round with the number of records sent.
    pub(super) fn settle(&self) -> Vec<(SyncSummary, usize)> {
        let mut last = Vec::new();
        for _ in 0..4 {
            let synchronise = |store| {
                let (here, there) = (Connected::to(store), Connected::to(&self.server));
                let plan = SyncPlan::new(Direction::Sync);
                let summary = synchronise(&here, &there, &plan, &mut |_| {}).unwrap();
                (summary, here.added.get() + there.added.get())
            };
            last = self.stores.iter().map(synchronise).collect();
        }
        last
    }
}
