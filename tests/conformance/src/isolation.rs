//! Objects of another account are never found, in any position of any operation, and never change.

use tdg_service::{JsonForm, RemoteService};

use crate::world::{
    ORDERS, World, all, is_not_found, new_assertion, new_benchmark, new_definition, sized,
};
use crate::{Accounts, suite};

suite![
    lists_have_the_accounts_own,
    nothing_of_another_account_is_found,
    what_its_owner_has_looked_at_is_not_found_either,
    nothing_of_another_account_is_deleted,
    nothing_is_added_to_what_is_another_accounts,
    an_accounts_own_and_anothers_do_not_mix_in_one_path,
];

/// Returns everything of an account as text.
fn everything(service: &RemoteService, world: &World) -> String {
    let projects = service.projects(&all()).unwrap().items.to_json();
    let history = service
        .history(world.benchmark, &all())
        .unwrap()
        .items
        .to_json();
    let expected = service.expected_output(world.benchmark).unwrap();
    let rows = service.vectors(world.ensemble).unwrap();
    [projects, history, expected, rows].join("\n")
}

fn lists_have_the_accounts_own(accounts: &dyn Accounts) {
    let (one, other) = (accounts.one(), accounts.other());
    let theirs = World::new(&other);
    assert!(one.projects(&all()).unwrap().items.is_empty());
    assert!(one.definitions(&all()).unwrap().items.is_empty());
    let ours = World::new(&one);
    for (service, world) in [(&one, &ours), (&other, &theirs)] {
        let projects = service.projects(&all()).unwrap().items;
        assert_eq!(projects.len(), 1);
        assert_eq!(projects[0].project_uuid, world.project);
        let definitions = service.definitions(&all()).unwrap().items;
        assert_eq!(definitions.len(), 1);
        assert_eq!(definitions[0].definition_uuid, world.definition);
    }
}

fn nothing_of_another_account_is_found(accounts: &dyn Accounts) {
    let (one, other) = (accounts.one(), accounts.other());
    let theirs = World::new(&other);
    World::new(&one);
    is_not_found(one.project(theirs.project));
    is_not_found(one.definition(theirs.definition));
    is_not_found(one.ensembles(theirs.definition, &all()));
    is_not_found(one.ensemble(theirs.ensemble));
    is_not_found(one.vectors(theirs.ensemble));
    is_not_found(one.benchmarks(theirs.definition, theirs.ensemble, &all()));
    is_not_found(one.benchmark(theirs.benchmark));
    is_not_found(one.history(theirs.benchmark, &all()));
    is_not_found(one.expected_output(theirs.benchmark));
}

fn what_its_owner_has_looked_at_is_not_found_either(accounts: &dyn Accounts) {
    let (one, other) = (accounts.one(), accounts.other());
    let theirs = World::new(&other);
    for _ in 0..2 {
        everything(&other, &theirs);
        other.benchmark(theirs.benchmark).unwrap();
        is_not_found(one.benchmark(theirs.benchmark));
        is_not_found(one.vectors(theirs.ensemble));
        is_not_found(one.expected_output(theirs.benchmark));
    }
}

fn nothing_of_another_account_is_deleted(accounts: &dyn Accounts) {
    let (one, other) = (accounts.one(), accounts.other());
    let theirs = World::new(&other);
    World::new(&one);
    let before = everything(&other, &theirs);
    is_not_found(one.delete_project(theirs.project));
    is_not_found(one.delete_definition(theirs.definition));
    is_not_found(one.delete_ensemble(theirs.ensemble));
    is_not_found(one.delete_benchmark(theirs.benchmark));
    assert_eq!(everything(&other, &theirs), before);
}

fn nothing_is_added_to_what_is_another_accounts(accounts: &dyn Accounts) {
    let (one, other) = (accounts.one(), accounts.other());
    let theirs = World::new(&other);
    World::new(&one);
    let before = everything(&other, &theirs);
    is_not_found(one.create_definition(&new_definition(theirs.project, ORDERS), None));
    is_not_found(one.create_ensemble(theirs.definition, &sized(3), None));
    let outputs = new_benchmark("[1,2,3]");
    is_not_found(one.create_benchmark(theirs.definition, theirs.ensemble, &outputs, None));
    is_not_found(one.assert(theirs.benchmark, &new_assertion("[1,2,3]"), None));
    assert_eq!(everything(&other, &theirs), before);
}

fn an_accounts_own_and_anothers_do_not_mix_in_one_path(accounts: &dyn Accounts) {
    let (one, other) = (accounts.one(), accounts.other());
    let (ours, theirs) = (World::new(&one), World::new(&other));
    let outputs = new_benchmark("[1,2,3]");
    for (definition, ensemble) in [
        (ours.definition, theirs.ensemble),
        (theirs.definition, ours.ensemble),
    ] {
        is_not_found(one.benchmarks(definition, ensemble, &all()));
        is_not_found(one.create_benchmark(definition, ensemble, &outputs, None));
    }
}
