//! Benchmarks.

use tdg_definition::Policy;
use tdg_definition::Tolerance;
use tdg_engine::output::Outputs;
use tdg_service::rules::{UNORDERED_VALUES, output_digest};
use tdg_service::{JsonForm, NewBenchmark, Uuid};

use crate::world::{
    ORDERS, World, all, benchmark, definition, ensemble, is_fault_at, is_not_found, new_assertion,
    new_benchmark,
};
use crate::{Accounts, suite};

suite![
    a_benchmark_is_found_as_it_was_made,
    a_benchmark_has_one_output_for_each_row,
    outputs_are_kept_to_the_bit,
    an_output_may_be_any_json,
    the_digest_identifies_the_outputs,
    a_policy_is_kept,
    what_is_compared_without_an_order_has_a_limit,
    a_benchmark_shows_its_newest_hundred_assertions,
    a_benchmark_that_was_looked_at_shows_what_has_come_since,
    a_list_shows_the_newest_ten,
    the_list_has_the_benchmarks_of_one_ensemble,
    the_ensemble_has_to_be_the_definitions,
    a_deleted_benchmark_is_gone,
    an_unknown_benchmark_is_not_found,
];

fn a_benchmark_is_found_as_it_was_made(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let made = service.benchmark(world.benchmark).unwrap();
    assert_eq!(made.ensemble_uuid, world.ensemble);
    assert_eq!(made.definition_uuid, world.definition);
    assert_eq!(made.policy, None);
    assert!(made.history.is_empty());
    let listed = service.benchmarks(world.definition, world.ensemble, &all());
    assert_eq!(listed.unwrap().items.to_json(), vec![made].to_json());
}

fn a_benchmark_has_one_output_for_each_row(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    for outputs in ["[]", "[1,2]", "[1,2,3,4]"] {
        let request = new_benchmark(outputs);
        let refused = service.create_benchmark(world.definition, world.ensemble, &request, None);
        is_fault_at("/expected_output", refused);
    }
    let many = ensemble(&service, world.definition, 10_000);
    let outputs: Vec<_> = (0..10_000).map(|row| row.to_string()).collect();
    let made = benchmark(&service, &many, &format!("[{}]", outputs.join(",")));
    assert_eq!(
        service
            .ensemble(many.ensemble_uuid)
            .unwrap()
            .benchmarks
            .len(),
        1
    );
    assert_eq!(made.ensemble_uuid, many.ensemble_uuid);
}

fn outputs_are_kept_to_the_bit(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let numbers = [
        r#"[0.1,0.30000000000000004,-0.0]"#,
        r#"[5e-324,1.7976931348623157e308,1e16]"#,
        r#"[18446744073709551615,-9223372036854775808,340282366920938463463374607431768211455]"#,
        r#"[{"$float":"NaN"},{"$float":"Infinity"},{"$float":"-Infinity"}]"#,
    ];
    for outputs in numbers {
        let kept = ensemble(&service, world.definition, 3);
        let made = benchmark(&service, &kept, outputs).benchmark_uuid;
        assert_eq!(service.expected_output(made).unwrap(), outputs);
        let same = service.assert(made, &new_assertion(outputs), None).unwrap();
        assert!(same.entry.asserted, "{outputs}");
    }
}

fn an_output_may_be_any_json(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let deep = format!("{}1{}", "[".repeat(60), "]".repeat(60));
    let outputs = [
        r#"[null,true,"\u0000 \"é🦀\""]"#.to_owned(),
        r#"[{},[],{"":{"a":[{"b":null}]}}]"#.to_owned(),
        format!("[{deep},{deep},{deep}]"),
        format!(r#"["{0}","{0}",""]"#, "x".repeat(100_000)),
    ];
    for outputs in outputs {
        let kept = ensemble(&service, world.definition, 3);
        let made = benchmark(&service, &kept, &outputs).benchmark_uuid;
        assert_eq!(service.expected_output(made).unwrap(), outputs);
    }
}

fn the_digest_identifies_the_outputs(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let kept = ensemble(&service, world.definition, 2);
    let first = benchmark(&service, &kept, "[1,2]");
    let same = benchmark(&service, &kept, " [ 1, 2 ] ");
    let other = benchmark(&service, &kept, "[1,3]");
    assert_eq!(
        first.digest,
        output_digest(&Outputs::parse("[1,2]").unwrap())
    );
    assert_eq!(first.digest, same.digest);
    assert_ne!(first.digest, other.digest);
    assert_ne!(first.benchmark_uuid, same.benchmark_uuid);
}

fn a_policy_is_kept(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let policy = Policy::exact()
        .tolerance(Tolerance::rel(0.01))
        .and_then(|policy| policy.ignore("/id"))
        .unwrap();
    let request = NewBenchmark {
        policy: Some(policy.clone()),
        ..new_benchmark("[1,2,3]")
    };
    let made = service.create_benchmark(world.definition, world.ensemble, &request, None);
    let made = made.unwrap();
    assert_eq!(made.policy.as_ref(), Some(&policy));
    assert_eq!(
        service.benchmark(made.benchmark_uuid).unwrap().policy,
        Some(policy)
    );
}

fn what_is_compared_without_an_order_has_a_limit(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let outputs = |values: usize| format!("[1,2,[{}]]", vec!["0"; values].join(","));
    let make = |values: usize| {
        let request = NewBenchmark {
            policy: Some(Policy::exact().unordered("").unwrap()),
            ..new_benchmark(&outputs(values))
        };
        service.create_benchmark(world.definition, world.ensemble, &request, None)
    };
    let made = make(UNORDERED_VALUES).unwrap().benchmark_uuid;
    is_fault_at("/expected_output", make(UNORDERED_VALUES + 1));
    let too_many = new_assertion(&outputs(UNORDERED_VALUES + 1));
    is_fault_at("/output_to_assert", service.assert(made, &too_many, None));
    assert_eq!(service.benchmark(made).unwrap().history, []);
}

fn a_benchmark_shows_its_newest_hundred_assertions(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let made: Vec<_> = (0..101)
        .map(|_| service.assert(world.benchmark, &new_assertion("[1,2,3]"), None))
        .map(|made| made.unwrap().entry.assertion_uuid)
        .collect();
    let history = service.benchmark(world.benchmark).unwrap().history;
    let shown: Vec<_> = history.iter().map(|entry| entry.assertion_uuid).collect();
    let newest: Vec<_> = made.into_iter().skip(1).rev().collect();
    assert_eq!(shown, newest);
}

fn a_benchmark_that_was_looked_at_shows_what_has_come_since(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let mut made = Vec::new();
    for _ in 0..102 {
        // The second read must find what the first one found.
        for _ in 0..2 {
            let history = service.benchmark(world.benchmark).unwrap().history;
            let newest: Vec<_> = made.iter().rev().take(100).cloned().collect();
            assert_eq!(history.to_json(), newest.to_json());
        }
        let asserted = service.assert(world.benchmark, &new_assertion("[1,2,3]"), None);
        made.push(asserted.unwrap().entry);
    }
}

fn a_list_shows_the_newest_ten(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    for _ in 0..11 {
        service
            .assert(world.benchmark, &new_assertion("[1,2,3]"), None)
            .unwrap();
    }
    let all_of_them = service.benchmark(world.benchmark).unwrap().history;
    let listed = service.benchmarks(world.definition, world.ensemble, &all());
    let listed = listed.unwrap().items.remove(0).history;
    assert_eq!(listed.to_json(), all_of_them[..10].to_vec().to_json());
}

fn the_list_has_the_benchmarks_of_one_ensemble(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let other = ensemble(&service, world.definition, 1);
    let first = benchmark(&service, &other, "[1]");
    let second = benchmark(&service, &other, "[2]");
    let listed = service.benchmarks(world.definition, other.ensemble_uuid, &all());
    assert_eq!(
        listed.unwrap().items.to_json(),
        vec![first, second].to_json()
    );
}

fn the_ensemble_has_to_be_the_definitions(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let other = definition(&service, world.project, ORDERS).definition_uuid;
    let request = new_benchmark("[1,2,3]");
    for (definition, ensemble) in [
        (other, world.ensemble),
        (Uuid::new_v4(), world.ensemble),
        (world.definition, Uuid::new_v4()),
        (world.ensemble, world.definition),
    ] {
        is_not_found(service.benchmarks(definition, ensemble, &all()));
        is_not_found(service.create_benchmark(definition, ensemble, &request, None));
    }
    assert_eq!(
        service.ensemble(world.ensemble).unwrap().benchmarks.len(),
        1
    );
}

fn a_deleted_benchmark_is_gone(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    service.delete_benchmark(world.benchmark).unwrap();
    is_not_found(service.benchmark(world.benchmark));
    is_not_found(service.expected_output(world.benchmark));
    is_not_found(service.history(world.benchmark, &all()));
    is_not_found(service.assert(world.benchmark, &new_assertion("[1,2,3]"), None));
    is_not_found(service.delete_benchmark(world.benchmark));
    assert!(
        service
            .ensemble(world.ensemble)
            .unwrap()
            .benchmarks
            .is_empty()
    );
}

fn an_unknown_benchmark_is_not_found(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    for unknown in [Uuid::new_v4(), world.ensemble] {
        is_not_found(service.benchmark(unknown));
        is_not_found(service.expected_output(unknown));
        is_not_found(service.history(unknown, &all()));
        is_not_found(service.assert(unknown, &new_assertion("[1,2,3]"), None));
        is_not_found(service.delete_benchmark(unknown));
    }
}
