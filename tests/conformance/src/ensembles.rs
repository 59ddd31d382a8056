//! Ensembles and their rows.

use tdg_definition::json;
use tdg_engine::Vectors;
use tdg_service::{JsonForm, NewEnsemble, Uuid};

use crate::world::{
    NESTED, ORDERS, World, all, benchmark, definition, ensemble, is_fault_at, is_not_found,
    language, long, new_assertion, project, sized, wide,
};
use crate::{Accounts, suite};

suite![
    an_ensemble_is_found_as_it_was_drawn,
    an_ensemble_has_from_1_to_10000_rows,
    an_ensemble_has_at_most_a_million_cells,
    rows_have_at_most_64_megabytes,
    a_unique_feature_needs_enough_values,
    an_ensemble_without_a_name_gets_four_words,
    a_name_is_kept_as_it_is_up_to_256_bytes,
    the_rows_are_those_that_the_library_draws,
    nested_rows_are_drawn_as_by_the_library_and_shown_in_a_diff,
    without_a_seed_every_ensemble_has_its_own_rows,
    a_row_has_one_value_for_each_feature,
    an_ensemble_shows_its_benchmarks_in_order,
    the_list_has_the_ensembles_of_one_definition,
    an_ensemble_needs_a_definition_that_there_is,
    a_deleted_ensemble_is_gone,
    an_unknown_ensemble_is_not_found,
];

fn seeded(size: usize, seed: u64) -> NewEnsemble {
    NewEnsemble {
        seed: Some(seed),
        ..sized(size)
    }
}

fn an_ensemble_is_found_as_it_was_drawn(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let request = NewEnsemble {
        ensemble_name: Some("small".to_owned()),
        ..seeded(7, 42)
    };
    let drawn = service
        .create_ensemble(world.definition, &request, None)
        .unwrap();
    assert_eq!(drawn.ensemble_name, "small");
    assert_eq!(drawn.definition_uuid, world.definition);
    assert_eq!((drawn.size, drawn.seed), (7, 42));
    assert!(drawn.benchmarks.is_empty());
    let found = service.ensemble(drawn.ensemble_uuid).unwrap();
    assert_eq!(found.to_json(), drawn.to_json());
}

fn an_ensemble_has_from_1_to_10000_rows(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    for size in [1, 10_000] {
        let drawn = ensemble(&service, world.definition, size);
        assert_eq!(drawn.size, size);
        let rows = json::parse(&service.vectors(drawn.ensemble_uuid).unwrap()).unwrap();
        assert_eq!(rows.as_array().unwrap().len(), size);
    }
    for size in [0, 10_001, usize::MAX >> 11] {
        let refused = service.create_ensemble(world.definition, &sized(size), None);
        is_fault_at("/size", refused);
    }
}

fn an_ensemble_has_at_most_a_million_cells(accounts: &dyn Accounts) {
    let service = accounts.one();
    let shop = project(&service, "shop").project_uuid;
    let of_1000 = definition(&service, shop, &wide(1000)).definition_uuid;
    assert_eq!(ensemble(&service, of_1000, 1000).size, 1000);
    is_fault_at(
        "/size",
        service.create_ensemble(of_1000, &sized(1001), None),
    );
}

fn rows_have_at_most_64_megabytes(accounts: &dyn Accounts) {
    let service = accounts.one();
    let shop = project(&service, "shop").project_uuid;
    let long = definition(&service, shop, &long(65_536)).definition_uuid;
    // A row takes 65,541 bytes, so 1,023 rows are the most that fit.
    assert_eq!(ensemble(&service, long, 1023).size, 1023);
    is_fault_at("/size", service.create_ensemble(long, &sized(1024), None));
    is_fault_at("/size", service.create_ensemble(long, &sized(10_000), None));
}

fn a_unique_feature_needs_enough_values(accounts: &dyn Accounts) {
    let service = accounts.one();
    let shop = project(&service, "shop").project_uuid;
    let dice = r#"{"features": [{"type": "INTEGER", "unique": true,
        "distribution": {"type": "uniform", "min": 1, "max": 6}}]}"#;
    let dice = definition(&service, shop, dice).definition_uuid;
    assert_eq!(ensemble(&service, dice, 6).size, 6);
    is_fault_at("/size", service.create_ensemble(dice, &sized(7), None));
}

fn an_ensemble_without_a_name_gets_four_words(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    for name in [None, Some(""), Some(" ")] {
        let request = NewEnsemble {
            ensemble_name: name.map(str::to_owned),
            ..sized(1)
        };
        let drawn = service
            .create_ensemble(world.definition, &request, None)
            .unwrap();
        let words: Vec<_> = drawn.ensemble_name.split('-').collect();
        let is_word =
            |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
        assert!(words.len() == 4 && words.iter().all(is_word), "{words:?}");
    }
}

fn a_name_is_kept_as_it_is_up_to_256_bytes(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let draw = |name: &str| {
        let request = NewEnsemble {
            ensemble_name: Some(name.to_owned()),
            ..sized(1)
        };
        service.create_ensemble(world.definition, &request, None)
    };
    for name in [" a  b ", "péché 🦀", &"x".repeat(256)] {
        assert_eq!(draw(name).unwrap().ensemble_name, name);
    }
    is_fault_at("/ensemble_name", draw(&"x".repeat(257)));
    is_fault_at("/ensemble_name", draw("a\0b"));
}

fn the_rows_are_those_that_the_library_draws(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    for seed in [0, 7, u64::MAX] {
        let expected = Vectors::generate(&language(ORDERS), seed, 100);
        let request = seeded(100, seed);
        let drawn = service
            .create_ensemble(world.definition, &request, None)
            .unwrap();
        assert_eq!((drawn.seed, drawn.sampler_version), (seed, 1));
        assert_eq!(drawn.digest, expected.digest());
        assert_eq!(
            service.vectors(drawn.ensemble_uuid).unwrap(),
            expected.to_json()
        );
    }
}

fn nested_rows_are_drawn_as_by_the_library_and_shown_in_a_diff(accounts: &dyn Accounts) {
    let service = accounts.one();
    let shop = project(&service, "shop").project_uuid;
    let added = definition(&service, shop, NESTED);
    assert_eq!(added.to_definition().unwrap(), language(NESTED));
    let drawn = service.create_ensemble(added.definition_uuid, &seeded(20, 7), None);
    let drawn = drawn.unwrap();
    let expected = Vectors::generate(&language(NESTED), 7, 20);
    assert_eq!(drawn.digest, expected.digest());
    // An object's members may be in any order.
    let rows = json::parse(&service.vectors(drawn.ensemble_uuid).unwrap()).unwrap();
    assert_eq!(rows, json::parse(&expected.to_json()).unwrap());
    let outputs = |first: u64| format!("[{first}{}]", ",0".repeat(19));
    let benchmark = benchmark(&service, &drawn, &outputs(1)).benchmark_uuid;
    let made = service.assert(benchmark, &new_assertion(&outputs(2)), None);
    let inputs = made.unwrap().diff.unwrap().inputs;
    let inputs = json::parse(inputs.as_json()).unwrap();
    assert_eq!(inputs.as_array(), rows.as_array().map(|rows| &rows[..1]));
}

fn without_a_seed_every_ensemble_has_its_own_rows(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let first = ensemble(&service, world.definition, 100);
    let second = ensemble(&service, world.definition, 100);
    assert_ne!(first.seed, second.seed);
    assert_ne!(first.digest, second.digest);
    for drawn in [first, second] {
        let again = Vectors::generate(&language(ORDERS), drawn.seed, 100);
        assert_eq!(drawn.digest, again.digest());
        assert!(drawn.seed < 1 << 53, "exact for readers with floats alone");
    }
}

fn a_row_has_one_value_for_each_feature(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let rows = json::parse(&service.vectors(world.ensemble).unwrap()).unwrap();
    for row in rows.as_array().unwrap() {
        let [amount, quantity, coupon] = row.as_array().unwrap() else {
            panic!("{row}")
        };
        assert!(amount.as_f64().is_some());
        assert!((1..=20).contains(&quantity.as_i64().unwrap()));
        assert!(coupon.is_null() || matches!(coupon.as_str(), Some("HALF" | "null")));
    }
}

fn an_ensemble_shows_its_benchmarks_in_order(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let drawn = ensemble(&service, world.definition, 1);
    let first = benchmark(&service, &drawn, "[1]");
    let second = benchmark(&service, &drawn, "[2]");
    let found = service.ensemble(drawn.ensemble_uuid).unwrap();
    assert_eq!(found.benchmarks.to_json(), vec![first, second].to_json());
}

fn the_list_has_the_ensembles_of_one_definition(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let other = definition(&service, world.project, ORDERS).definition_uuid;
    let first = ensemble(&service, other, 1);
    ensemble(&service, world.definition, 1);
    let second = ensemble(&service, other, 2);
    let listed = service.ensembles(other, &all()).unwrap();
    assert_eq!(listed.items.to_json(), vec![first, second].to_json());
}

fn an_ensemble_needs_a_definition_that_there_is(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    for unknown in [Uuid::new_v4(), world.project] {
        is_not_found(service.create_ensemble(unknown, &sized(1), None));
        is_not_found(service.ensembles(unknown, &all()));
    }
}

fn a_deleted_ensemble_is_gone(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    service.delete_ensemble(world.ensemble).unwrap();
    is_not_found(service.ensemble(world.ensemble));
    is_not_found(service.vectors(world.ensemble));
    is_not_found(service.delete_ensemble(world.ensemble));
    assert!(
        service
            .ensembles(world.definition, &all())
            .unwrap()
            .items
            .is_empty()
    );
}

fn an_unknown_ensemble_is_not_found(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    for unknown in [Uuid::new_v4(), world.definition, world.benchmark] {
        is_not_found(service.ensemble(unknown));
        is_not_found(service.vectors(unknown));
        is_not_found(service.delete_ensemble(unknown));
    }
}
