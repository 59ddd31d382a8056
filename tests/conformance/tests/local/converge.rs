//! Stores that are synchronised have the same records.

use proptest::collection::vec;
use proptest::prelude::*;
use tdg_conformance::replica::timed;
use tdg_conformance::store::{TestStore, histories, run, sync};
use tdg_service::Timestamp;
use tdg_service::record::{Record, RecordKind, TombstoneRecord};
use tdg_service::sync::{Direction, Replica, SyncPlan};

#[derive(Clone, Debug)]
enum Event {
    Run {
        store: usize,
        test: u8,
        seed: u8,
        outputs: u8,
    },
    Reject {
        store: usize,
        test: u8,
    },
    Delete {
        benchmark: usize,
    },
    Revive {
        store: usize,
    },
    Sync {
        store: usize,
        direction: Direction,
    },
}

fn event() -> impl Strategy<Value = Event> {
    let directions = [Direction::Push, Direction::Pull, Direction::Sync];
    let direction = prop::sample::select(directions.to_vec());
    prop_oneof![
        8 => (0..2_usize, 0..3_u8, 0..2_u8, 0..2_u8)
            .prop_map(|(store, test, seed, outputs)| Event::Run { store, test, seed, outputs }),
        1 => (0..2_usize, 0..3_u8).prop_map(|(store, test)| Event::Reject { store, test }),
        1 => any::<usize>().prop_map(|benchmark| Event::Delete { benchmark }),
        1 => (0..2_usize).prop_map(|store| Event::Revive { store }),
        4 => (0..2_usize, direction)
            .prop_map(|(store, direction)| Event::Sync { store, direction }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn stores_synchronised_through_a_third_have_the_same(events in vec(event(), 1..30)) {
        let stores = [TestStore::create(), TestStore::create()];
        let hub = TestStore::create();
        let [one, other] = [0, 1].map(|index: usize| stores[index].replica());
        let here = [&one, &other];
        let there = hub.replica();
        for (number, event) in events.iter().enumerate() {
            match *event {
                Event::Run { store, test, seed, outputs } => {
                    let outputs = format!("[{outputs},0]");
                    stores[store].run(&test.to_string(), seed.into(), &outputs);
                }
                Event::Reject { store, test } => stores[store].reject(&test.to_string()),
                Event::Delete { benchmark } => {
                    let all = histories(&there);
                    if !all.is_empty() {
                        let tombstone = TombstoneRecord {
                            uuid: timed(Timestamp::from_micros(number as i64), number as u128),
                            of: RecordKind::Benchmark,
                            object: all[benchmark % all.len()].0,
                            deleted: Timestamp::from_micros(number as i64),
                        };
                        there.add(&[Record::Tombstone(tombstone)]).unwrap();
                    }
                }
                Event::Revive { store } => {
                    let mut plan = SyncPlan::new(Direction::Push);
                    plan.revive = true;
                    run(here[store], &there, &plan);
                }
                Event::Sync { store, direction } => {
                    sync(here[store], &there, direction);
                }
            }
        }
        for replica in [&one, &other, &one] {
            sync(replica, &there, Direction::Sync);
        }
        for replica in here {
            prop_assert_eq!(replica.digests().unwrap(), there.digests().unwrap());
            prop_assert_eq!(histories(replica), histories(&there));
            // Nothing is left to do, so nothing is done.
            prop_assert_eq!(sync(replica, &there, Direction::Sync), 0);
        }
    }
}
