//! Children are deleted with their parents, and nothing else is.

use tdg_service::{RemoteService, Result};

use crate::world::{World, all, is_not_found, new_assertion};
use crate::{Accounts, suite};

suite![
    all_of_a_project_goes_with_it,
    all_of_a_definition_goes_with_it,
    all_of_an_ensemble_goes_with_it,
    the_history_goes_with_the_benchmark,
    a_viewed_benchmark_is_deleted_with_its_owners,
];

/// Returns which objects of a world exist: project, definition, ensemble, benchmark.
fn found(service: &RemoteService, world: &World) -> [bool; 4] {
    [
        service.project(world.project).is_ok(),
        service.definition(world.definition).is_ok(),
        service.ensemble(world.ensemble).is_ok(),
        service.benchmark(world.benchmark).is_ok(),
    ]
}

fn worlds(service: &RemoteService) -> [World; 2] {
    let worlds = [World::new(service), World::new(service)];
    for world in &worlds {
        let asserted = service.assert(world.benchmark, &new_assertion("[1,2,3]"), None);
        assert!(asserted.unwrap().entry.asserted);
    }
    worlds
}

fn all_of_a_project_goes_with_it(accounts: &dyn Accounts) {
    let service = accounts.one();
    let [gone, kept] = worlds(&service);
    service.delete_project(gone.project).unwrap();
    assert_eq!(found(&service, &gone), [false; 4]);
    assert_eq!(found(&service, &kept), [true; 4]);
    assert_eq!(service.definitions(&all()).unwrap().items.len(), 1);
}

fn all_of_a_definition_goes_with_it(accounts: &dyn Accounts) {
    let service = accounts.one();
    let [gone, kept] = worlds(&service);
    service.delete_definition(gone.definition).unwrap();
    assert_eq!(found(&service, &gone), [true, false, false, false]);
    assert_eq!(found(&service, &kept), [true; 4]);
}

fn all_of_an_ensemble_goes_with_it(accounts: &dyn Accounts) {
    let service = accounts.one();
    let [gone, kept] = worlds(&service);
    service.delete_ensemble(gone.ensemble).unwrap();
    assert_eq!(found(&service, &gone), [true, true, false, false]);
    assert_eq!(found(&service, &kept), [true; 4]);
}

fn the_history_goes_with_the_benchmark(accounts: &dyn Accounts) {
    let service = accounts.one();
    let [gone, kept] = worlds(&service);
    service.delete_benchmark(gone.benchmark).unwrap();
    assert_eq!(found(&service, &gone), [true, true, true, false]);
    is_not_found(service.history(gone.benchmark, &all()));
    assert_eq!(
        service.history(kept.benchmark, &all()).unwrap().items.len(),
        1
    );
}

fn a_viewed_benchmark_is_deleted_with_its_owners(accounts: &dyn Accounts) {
    let service = accounts.one();
    type Delete = fn(&RemoteService, &World) -> Result<()>;
    let deletions: [Delete; 4] = [
        |service, world| service.delete_benchmark(world.benchmark),
        |service, world| service.delete_ensemble(world.ensemble),
        |service, world| service.delete_definition(world.definition),
        |service, world| service.delete_project(world.project),
    ];
    for delete in deletions {
        let [gone, kept] = worlds(&service);
        for world in [&gone, &kept] {
            assert!(service.benchmark(world.benchmark).is_ok());
        }
        delete(&service, &gone).unwrap();
        is_not_found(service.benchmark(gone.benchmark));
        assert!(service.benchmark(kept.benchmark).is_ok());
    }
}
