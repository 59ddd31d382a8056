//! Assertions.

use tdg_definition::Policy;
use tdg_definition::Tolerance;
use tdg_definition::json;
use tdg_engine::output::Outputs;
use tdg_service::{JsonForm, NewBenchmark};

use crate::world::{World, all, benchmark, ensemble, is_fault_at, new_assertion, new_benchmark};
use crate::{Accounts, suite};

suite![
    the_same_outputs_are_asserted,
    other_outputs_are_not,
    a_diff_has_the_rows_that_differ_with_inputs_and_both_outputs,
    a_diff_says_what_its_rows_and_their_outputs_have_in_common,
    numbers_are_compared_by_value,
    a_missing_field_is_a_difference,
    outputs_are_compared_under_the_benchmarks_policy,
    a_policy_may_let_a_share_of_the_rows_differ,
    a_policy_may_compare_distributions,
    there_is_one_output_for_each_row,
    what_was_refused_is_not_in_the_history,
    the_history_has_every_result_newest_first,
    an_assertion_does_not_change_the_benchmark,
];

fn the_same_outputs_are_asserted(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let made = service
        .assert(world.benchmark, &new_assertion("[1,2,3]"), None)
        .unwrap();
    assert!(made.entry.asserted);
    assert_eq!(made.diff, None);
    assert_eq!(made.benchmark_uuid, world.benchmark);
    assert_eq!(made.ensemble_uuid, world.ensemble);
    let history = service.benchmark(world.benchmark).unwrap().history;
    assert_eq!(history.to_json(), vec![made.entry].to_json());
}

fn other_outputs_are_not(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let made = service
        .assert(world.benchmark, &new_assertion("[1,2,4]"), None)
        .unwrap();
    assert!(!made.entry.asserted);
    let history = service.benchmark(world.benchmark).unwrap().history;
    assert_eq!(history.to_json(), vec![made.entry].to_json());
}

fn a_diff_has_the_rows_that_differ_with_inputs_and_both_outputs(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let rows = json::parse(&service.vectors(world.ensemble).unwrap()).unwrap();
    let rows = rows.as_array().unwrap();
    let made = service.assert(world.benchmark, &new_assertion(r#"[0,2,{"a":3}]"#), None);
    let diff = made.unwrap().diff.unwrap();
    assert_eq!(diff.indices, [0, 2]);
    assert_eq!(diff.inputs.as_json(), format!("[{},{}]", rows[0], rows[2]));
    assert_eq!(diff.expected.as_json(), "[1,3]");
    assert_eq!(diff.actual.as_json(), r#"[0,{"a":3}]"#);
    assert_eq!(diff.size, 3);
}

fn a_diff_says_what_its_rows_and_their_outputs_have_in_common(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let ensemble = ensemble(&service, world.definition, 200);
    let rows = json::parse(&service.vectors(ensemble.ensemble_uuid).unwrap()).unwrap();
    let is_half = |row: &json::Value| row.as_array().unwrap()[2].as_str() == Some("HALF");
    let halves: Vec<bool> = rows.as_array().unwrap().iter().map(is_half).collect();
    let outputs = |factor: u64| {
        let output = |(row, half): (u64, &bool)| (row * if *half { factor } else { 1 }).to_string();
        format!(
            "[{}]",
            (1..).zip(&halves).map(output).collect::<Vec<_>>().join(",")
        )
    };
    let benchmark = benchmark(&service, &ensemble, &outputs(1)).benchmark_uuid;
    let made = service.assert(benchmark, &new_assertion(&outputs(3)), None);
    let half = halves.iter().filter(|half| **half).count();
    assert_eq!(
        made.unwrap().diff.unwrap().explanation,
        [
            format!(
                "all {half} have coupon = \"HALF\"   ({half} of {half} such cases changed, 0 of the other {})",
                200 - half
            ),
            format!("actual = 3 × expected in all {half}"),
        ]
    );
}

fn numbers_are_compared_by_value(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let assert = |outputs: &str| {
        let made = service.assert(world.benchmark, &new_assertion(outputs), None);
        made.unwrap().entry.asserted
    };
    assert!(assert("[1.0,2e0,3.00]"));
    assert!(!assert("[1.0000000000000002,2,3]"));
    assert!(!assert(r#"["1",2,3]"#));
    assert!(!assert("[true,2,3]"));
}

fn a_missing_field_is_a_difference(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let request = new_benchmark(r#"[{"a":1,"b":null},{"a":null},{"a":{"$float":"NaN"}}]"#);
    let made = service.create_benchmark(world.definition, world.ensemble, &request, None);
    let benchmark = made.unwrap().benchmark_uuid;
    let outputs = new_assertion(r#"[{"a":1},{"a":0},{"a":1.5}]"#);
    let diff = service
        .assert(benchmark, &outputs, None)
        .unwrap()
        .diff
        .unwrap();
    assert_eq!(diff.indices, [0, 1, 2]);
    let same = new_assertion(r#"[{"b":null,"a":1},{"a":null},{"a":{"$float":"NaN"}}]"#);
    assert!(
        service
            .assert(benchmark, &same, None)
            .unwrap()
            .entry
            .asserted
    );
}

fn outputs_are_compared_under_the_benchmarks_policy(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let request = NewBenchmark {
        policy: Some(Policy::exact().tolerance(Tolerance::abs(0.5)).unwrap()),
        ..new_benchmark("[1.0,2.0,3.0]")
    };
    let made = service.create_benchmark(world.definition, world.ensemble, &request, None);
    let benchmark = made.unwrap().benchmark_uuid;
    let within = service
        .assert(benchmark, &new_assertion("[1.5,1.5,3.0]"), None)
        .unwrap();
    assert!(within.entry.asserted);
    assert_eq!(within.diff, None);
    let beyond = service
        .assert(benchmark, &new_assertion("[1.5,1.25,3.0]"), None)
        .unwrap();
    assert_eq!(beyond.diff.unwrap().indices, [1]);
}

fn a_policy_may_let_a_share_of_the_rows_differ(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let request = NewBenchmark {
        policy: Some(Policy::exact().allow(0.4).unwrap()),
        ..new_benchmark("[1,2,3]")
    };
    let made = service.create_benchmark(world.definition, world.ensemble, &request, None);
    let benchmark = made.unwrap().benchmark_uuid;
    let one = service
        .assert(benchmark, &new_assertion("[0,2,3]"), None)
        .unwrap();
    assert!(one.entry.asserted);
    assert_eq!(one.diff, None);
    let two = service
        .assert(benchmark, &new_assertion("[0,0,3]"), None)
        .unwrap();
    assert_eq!(two.diff.unwrap().indices, [0, 1]);
}

fn a_policy_may_compare_distributions(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let request = |ks| NewBenchmark {
        policy: Some(Policy::exact().distribution("", ks).unwrap()),
        ..new_benchmark("[1,2,3]")
    };
    let make = |ks| service.create_benchmark(world.definition, world.ensemble, &request(ks), None);
    let benchmark = make(0.5).unwrap().benchmark_uuid;
    for outputs in ["[3,1,2]", "[2,3,4]"] {
        let made = service.assert(benchmark, &new_assertion(outputs), None);
        assert_eq!(made.unwrap().diff, None, "{outputs}");
    }
    let apart = service.assert(benchmark, &new_assertion("[4,5,6]"), None);
    let apart = apart.unwrap();
    assert!(!apart.entry.asserted);
    let diff = apart.diff.unwrap();
    assert!(diff.indices.is_empty() && diff.size == 3);
    let words = "the distribution of the output changed";
    assert!(diff.explanation[0].starts_with(words), "{diff:?}");
    // With three rows, outputs could never differ at that rate.
    is_fault_at("/policy", make(0.09));
}

fn there_is_one_output_for_each_row(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    for outputs in ["[]", "[1,2]", "[1,2,3,4]"] {
        let refused = service.assert(world.benchmark, &new_assertion(outputs), None);
        is_fault_at("/output_to_assert", refused);
    }
}

fn what_was_refused_is_not_in_the_history(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    assert!(
        service
            .assert(world.benchmark, &new_assertion("[1]"), None)
            .is_err()
    );
    assert!(
        service
            .benchmark(world.benchmark)
            .unwrap()
            .history
            .is_empty()
    );
}

fn the_history_has_every_result_newest_first(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let mut made: Vec<_> = ["[1,2,3]", "[0,0,0]", "[1,2,3]"]
        .map(|outputs| service.assert(world.benchmark, &new_assertion(outputs), None))
        .map(|made| made.unwrap().entry)
        .into();
    made.reverse();
    let results: Vec<_> = made.iter().map(|entry| entry.asserted).collect();
    assert_eq!(results, [true, false, true]);
    assert!(made.is_sorted_by(|newer, older| newer.timestamp >= older.timestamp));
    let history = service.benchmark(world.benchmark).unwrap().history;
    assert_eq!(history.to_json(), made.to_json());
    let paged = service.history(world.benchmark, &all()).unwrap();
    assert_eq!(paged.items.to_json(), made.to_json());
}

fn an_assertion_does_not_change_the_benchmark(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    let before = service.benchmark(world.benchmark).unwrap();
    for _ in 0..2 {
        let other = service.assert(world.benchmark, &new_assertion("[9,9,9]"), None);
        assert!(!other.unwrap().entry.asserted);
    }
    let after = service.benchmark(world.benchmark).unwrap();
    assert_eq!(after.digest, before.digest);
    let expected = service.expected_output(world.benchmark).unwrap();
    assert_eq!(expected, Outputs::parse("[1,2,3]").unwrap().as_json());
}
