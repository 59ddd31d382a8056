//! Requests repeated with the same key.

use tdg_service::{IdempotencyKey, JsonForm, Result, ServiceError};

use crate::world::{
    ORDERS, World, all, is_fault_at, new_assertion, new_benchmark, new_definition, new_project,
    project, sized,
};
use crate::{Accounts, suite};

suite![
    a_repeated_creation_answers_what_was_made,
    a_repeated_assertion_is_not_a_second_one,
    a_key_does_not_serve_for_another_request,
    a_key_does_not_serve_for_another_operation,
    a_refused_request_leaves_its_key_free,
    what_was_deleted_is_made_anew,
    a_key_belongs_to_its_account,
    without_a_key_every_request_makes_something,
];

fn key(text: &str) -> IdempotencyKey {
    text.parse().unwrap()
}

#[track_caller]
fn is_conflict<T>(refused: Result<T>) {
    match refused {
        Err(ServiceError::Conflict(_)) => {}
        Err(other) => panic!("no conflict: {other:?}"),
        Ok(_) => panic!("not refused"),
    }
}

fn a_repeated_creation_answers_what_was_made(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);

    let create = || service.create_project(&new_project("again"), Some(&key("project")));
    assert_eq!(create().unwrap().to_json(), create().unwrap().to_json());
    assert_eq!(service.projects(&all()).unwrap().items.len(), 2);

    let request = new_definition(world.project, ORDERS);
    let create = || service.create_definition(&request, Some(&key("definition")));
    assert_eq!(create().unwrap().to_json(), create().unwrap().to_json());
    assert_eq!(service.definitions(&all()).unwrap().items.len(), 2);

    let create = || service.create_ensemble(world.definition, &sized(5), Some(&key("ensemble")));
    assert_eq!(create().unwrap().to_json(), create().unwrap().to_json());
    assert_eq!(
        service
            .ensembles(world.definition, &all())
            .unwrap()
            .items
            .len(),
        2
    );

    let request = new_benchmark("[3,2,1]");
    let (definition, ensemble) = (world.definition, world.ensemble);
    let once = key("benchmark");
    let create = || service.create_benchmark(definition, ensemble, &request, Some(&once));
    assert_eq!(create().unwrap().to_json(), create().unwrap().to_json());
    let listed = service.benchmarks(definition, ensemble, &all()).unwrap();
    assert_eq!(listed.items.len(), 2);
}

fn a_repeated_assertion_is_not_a_second_one(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    for (name, outputs) in [("same", "[1,2,3]"), ("changed", "[1,2,4]")] {
        let assert = || service.assert(world.benchmark, &new_assertion(outputs), Some(&key(name)));
        let (first, second) = (assert().unwrap(), assert().unwrap());
        assert_eq!(first.to_json(), second.to_json());
    }
    assert_eq!(
        service
            .history(world.benchmark, &all())
            .unwrap()
            .items
            .len(),
        2
    );
}

fn a_key_does_not_serve_for_another_request(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let once = Some(key("once"));
    let once = once.as_ref();
    service
        .assert(world.benchmark, &new_assertion("[1,2,3]"), once)
        .unwrap();
    is_conflict(service.assert(world.benchmark, &new_assertion("[1,2,4]"), once));
    assert_eq!(
        service
            .history(world.benchmark, &all())
            .unwrap()
            .items
            .len(),
        1
    );

    let other = World::new(&service);
    is_conflict(service.assert(other.benchmark, &new_assertion("[1,2,3]"), once));
    assert!(
        service
            .history(other.benchmark, &all())
            .unwrap()
            .items
            .is_empty()
    );
}

fn a_key_does_not_serve_for_another_operation(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let once = Some(key("once"));
    let once = once.as_ref();
    service.create_project(&new_project("first"), once).unwrap();
    let (definition, ensemble) = (world.definition, world.ensemble);
    let outputs = new_benchmark("[1,2,3]");
    is_conflict(service.create_project(&new_project("second"), once));
    is_conflict(service.create_definition(&new_definition(world.project, ORDERS), once));
    is_conflict(service.create_ensemble(definition, &sized(3), once));
    is_conflict(service.create_benchmark(definition, ensemble, &outputs, once));
    is_conflict(service.assert(world.benchmark, &new_assertion("[1,2,3]"), once));
}

fn a_refused_request_leaves_its_key_free(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let once = Some(key("once"));
    let once = once.as_ref();
    is_fault_at(
        "/size",
        service.create_ensemble(world.definition, &sized(0), once),
    );
    service
        .create_ensemble(world.definition, &sized(1), once)
        .unwrap();
}

fn what_was_deleted_is_made_anew(accounts: &dyn Accounts) {
    let service = accounts.one();
    let create = || service.create_project(&new_project("shop"), Some(&key("shop")));
    let first = create().unwrap().project_uuid;
    service.delete_project(first).unwrap();
    let second = create().unwrap().project_uuid;
    assert_ne!(first, second);
    assert_eq!(create().unwrap().project_uuid, second);
}

fn a_key_belongs_to_its_account(accounts: &dyn Accounts) {
    let (one, other) = (accounts.one(), accounts.other());
    let once = Some(key("once"));
    let first = one
        .create_project(&new_project("first"), once.as_ref())
        .unwrap();
    let second = other
        .create_project(&new_project("second"), once.as_ref())
        .unwrap();
    assert_ne!(first.project_uuid, second.project_uuid);
    assert_eq!(second.project_name, "second");
}

fn without_a_key_every_request_makes_something(accounts: &dyn Accounts) {
    let service = accounts.one();
    project(&service, "shop");
    project(&service, "shop");
    assert_eq!(service.projects(&all()).unwrap().items.len(), 2);
}
