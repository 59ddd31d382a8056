//! Tests synchronisation with in-memory models of stores and a server.

mod laws;
mod place;
mod world;

use std::cell::RefCell;
use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use uuid::Uuid;

use self::place::Place;
use self::world::{World, event};
use crate::record::{Record, RecordKind};

fn set(place: &Place) -> BTreeSet<Uuid> {
    let others = place
        .live()
        .filter(|(_, it)| it.kind() != RecordKind::Assertion);
    others.map(|(uuid, _)| uuid).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// After any events in any order, all places end up equal. Every recorded record still exists,
    /// unless it was deleted or trimmed.
    #[test]
    fn all_places_converge(events in vec(event(3), 0..40)) {
        let world = World::after(3, &events);
        for (summary, sent) in world.settle() {
            prop_assert_eq!(sent, 0);
            for transferred in summary.pushed.values().chain(summary.pulled.values()) {
                prop_assert_eq!(transferred.left, 0);
                prop_assert!(transferred.refused.is_empty());
            }
        }
        let server = world.server.borrow();
        for store in &world.stores {
            let store = store.borrow();
            prop_assert_eq!(set(&store), set(&server));
            for (benchmark, _) in store.live().filter(|(_, it)| it.kind() == RecordKind::Benchmark) {
                let since = store.kept_since(benchmark).max(server.kept_since(benchmark));
                let kept = |of: &Place| {
                    let history = of.history(benchmark).into_iter();
                    history.filter(|(time, _)| *time >= since).collect::<Vec<_>>()
                };
                prop_assert_eq!(kept(&store), kept(&server));
            }
        }
        for (uuid, record) in &world.recorded {
            // A place may have trimmed it before any other place got it.
            let is_kept = match record {
                Record::Assertion(it) => {
                    let is_kept = |at: &RefCell<Place>| it.time >= at.borrow().kept_since(it.benchmark);
                    world.stores.iter().all(is_kept) && it.time >= server.kept_since(it.benchmark)
                }
                _ => true,
            };
            let is_deleted = || {
                let mut everything = server.clone();
                everything.stored.extend(world.recorded.clone());
                everything.is_dead(*uuid)
            };
            prop_assert!(
                server.stored.contains_key(uuid) || !is_kept || is_deleted(),
                "{record:?} is gone"
            );
        }
    }
}
