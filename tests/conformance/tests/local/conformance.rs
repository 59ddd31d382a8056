//! Runs the laws for every place on a local store.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tdg_conformance::replica::{Law, Place, laws};
use tdg_conformance::store::{TestStore, project};
use tdg_service::LocalReplica;

#[test]
fn the_local_store_is_a_place() {
    let breaks = |law: &Law| {
        let here = TestStore::create();
        let place = Place {
            project: project(),
            replica: &LocalReplica::new(&here.store, project()),
        };
        catch_unwind(AssertUnwindSafe(|| (law.holds)(&place))).is_err()
    };
    let broken: Vec<_> = laws().filter(breaks).map(|law| law.name).collect();
    assert!(broken.is_empty(), "broken: {broken:#?}");
}
