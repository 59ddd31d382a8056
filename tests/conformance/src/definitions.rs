//! Definitions and their features.

use std::collections::BTreeSet;

use tdg_engine::Vectors;
use tdg_service::{JsonForm, Uuid};

use crate::world::{
    ORDERS, RELATED, World, all, definition, ensemble, is_not_found, language, new_definition,
    project, wide,
};
use crate::{Accounts, suite};

suite![
    a_definition_is_found_as_it_was_added,
    a_definition_is_shown_in_its_canonical_form,
    a_definition_means_the_same_as_the_one_that_was_added,
    relations_are_found_as_they_were_added,
    rows_that_are_related_are_those_that_the_library_draws,
    a_definition_without_a_name_is_called_new_definition,
    features_have_separate_identifiers,
    a_definition_may_have_a_thousand_features,
    a_definition_shows_its_ensembles_in_order,
    a_definition_needs_a_project_that_there_is,
    the_list_has_the_definitions_of_all_projects_in_order,
    a_deleted_definition_is_gone,
    an_unknown_definition_is_not_found,
];

fn a_definition_is_found_as_it_was_added(accounts: &dyn Accounts) {
    let service = accounts.one();
    let shop = project(&service, "shop").project_uuid;
    let added = definition(&service, shop, ORDERS);
    assert_eq!(added.definition_name, "orders");
    assert_eq!(added.project_uuid, shop);
    assert!(added.ensembles.is_empty());
    let found = service.definition(added.definition_uuid).unwrap();
    assert_eq!(found.to_json(), added.to_json());
}

fn a_definition_is_shown_in_its_canonical_form(accounts: &dyn Accounts) {
    let service = accounts.one();
    let shop = project(&service, "shop").project_uuid;
    let text = r#"{"features": [
        {"type": "float", "distribution": {"type": "NORMAL", "mean": 1, "sd": 2}}
    ]}"#;
    let feature = definition(&service, shop, text).features.remove(0);
    assert_eq!(feature.feature_name, "feature_1");
    assert_eq!(
        feature.content.to_string(),
        r#"{"distribution":{"mu":1.0,"sigma":2.0,"type":"gaussian"},"feature_name":"feature_1","type":"FLOAT"}"#
    );
}

fn a_definition_means_the_same_as_the_one_that_was_added(accounts: &dyn Accounts) {
    let service = accounts.one();
    let shop = project(&service, "shop").project_uuid;
    let added = definition(&service, shop, ORDERS);
    assert_eq!(added.to_definition().unwrap(), language(ORDERS));
}

fn relations_are_found_as_they_were_added(accounts: &dyn Accounts) {
    let service = accounts.one();
    let shop = project(&service, "shop").project_uuid;
    let mut stated = BTreeSet::new();
    for text in RELATED {
        let added = definition(&service, shop, text);
        assert_eq!(added.to_definition().unwrap(), language(text));
        let found = service.definition(added.definition_uuid).unwrap();
        assert_eq!(found.to_json(), added.to_json());
        let listed = service.definitions(&all()).unwrap().items.pop().unwrap();
        assert_eq!(listed.to_json(), added.to_json());
        let within = service.project(shop).unwrap().definitions.pop().unwrap();
        assert_eq!(within.to_json(), added.to_json());
        stated.extend(added.relations.keys().cloned());
    }
    let all = tdg_definition::Definition::RELATIONS.iter();
    assert_eq!(stated, all.map(|name| (*name).to_owned()).collect());
}

fn rows_that_are_related_are_those_that_the_library_draws(accounts: &dyn Accounts) {
    let service = accounts.one();
    let shop = project(&service, "shop").project_uuid;
    for text in RELATED {
        let added = definition(&service, shop, text);
        let drawn = ensemble(&service, added.definition_uuid, 20);
        let expected = Vectors::generate(&added.to_definition().unwrap(), drawn.seed, 20);
        assert_eq!(drawn.digest, expected.digest());
        let rows = service.vectors(drawn.ensemble_uuid).unwrap();
        assert_eq!(rows, expected.to_json());
    }
}

fn a_definition_without_a_name_is_called_new_definition(accounts: &dyn Accounts) {
    let service = accounts.one();
    let shop = project(&service, "shop").project_uuid;
    assert_eq!(
        definition(&service, shop, &wide(1)).definition_name,
        "New definition"
    );
    let blank = r#"{"definition_name": " ", "features": [
        {"type": "INTEGER", "distribution": {"type": "constant", "value": 1}}
    ]}"#;
    assert_eq!(
        definition(&service, shop, blank).definition_name,
        "New definition"
    );
}

fn features_have_separate_identifiers(accounts: &dyn Accounts) {
    let service = accounts.one();
    let shop = project(&service, "shop").project_uuid;
    let first = definition(&service, shop, ORDERS);
    let second = definition(&service, shop, ORDERS);
    let both = first.features.iter().chain(&second.features);
    let uuids: BTreeSet<_> = both.map(|feature| feature.feature_uuid).collect();
    assert_eq!(uuids.len(), 6);
    let found = service.definition(first.definition_uuid).unwrap();
    assert_eq!(found.features, first.features);
}

fn a_definition_may_have_a_thousand_features(accounts: &dyn Accounts) {
    let service = accounts.one();
    let shop = project(&service, "shop").project_uuid;
    let added = definition(&service, shop, &wide(1000));
    assert_eq!(added.features.len(), 1000);
    assert_eq!(added.features[999].feature_name, "feature_1000");
}

fn a_definition_shows_its_ensembles_in_order(accounts: &dyn Accounts) {
    let service = accounts.one();
    let shop = project(&service, "shop").project_uuid;
    let orders = definition(&service, shop, ORDERS).definition_uuid;
    let first = ensemble(&service, orders, 1);
    let second = ensemble(&service, orders, 2);
    let found = service.definition(orders).unwrap();
    assert_eq!(found.ensembles.to_json(), vec![first, second].to_json());
}

fn a_definition_needs_a_project_that_there_is(accounts: &dyn Accounts) {
    let service = accounts.one();
    is_not_found(service.create_definition(&new_definition(Uuid::new_v4(), ORDERS), None));
    let gone = project(&service, "gone").project_uuid;
    service.delete_project(gone).unwrap();
    is_not_found(service.create_definition(&new_definition(gone, ORDERS), None));
    assert!(service.definitions(&all()).unwrap().items.is_empty());
}

fn the_list_has_the_definitions_of_all_projects_in_order(accounts: &dyn Accounts) {
    let service = accounts.one();
    let one = project(&service, "one").project_uuid;
    let two = project(&service, "two").project_uuid;
    let added: Vec<_> = [two, one, two]
        .map(|project| definition(&service, project, ORDERS))
        .into();
    let listed = service.definitions(&all()).unwrap();
    assert_eq!(listed.items.to_json(), added.to_json());
}

fn a_deleted_definition_is_gone(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    service.delete_definition(world.definition).unwrap();
    is_not_found(service.definition(world.definition));
    is_not_found(service.delete_definition(world.definition));
    assert!(
        service
            .project(world.project)
            .unwrap()
            .definitions
            .is_empty()
    );
}

fn an_unknown_definition_is_not_found(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    for unknown in [Uuid::new_v4(), world.project, world.ensemble] {
        is_not_found(service.definition(unknown));
        is_not_found(service.delete_definition(unknown));
    }
}
