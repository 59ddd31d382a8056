use tdg_definition::Policy;
use tdg_engine::Verdict;
use tdg_engine::store::{
    Claim, DecisionKind, Expected, PendingUpdate, Run, RunFacts, Store, StoreProblem,
};

use crate::sample::{Fixture, decision, ensemble, rows, run, test};

#[test]
fn a_commit_is_read_back() {
    let fixture = Fixture::new();
    let (total, orders) = (test("total"), ensemble());
    let decided = decision(DecisionKind::Recorded, "the first prices");
    let facts = RunFacts {
        changed: 1,
        tolerance_use: Some(0.25),
        policy: Policy::parse(r#"{"tolerance":{"rel":0.5}}"#).ok(),
        checkout: decided.checkout.clone(),
        platform: Some(("linux".to_owned(), "x86_64".to_owned())),
        ..RunFacts::new(Verdict::Recorded, 3)
    };
    let committed = fixture
        .store
        .commit(&Run {
            facts: facts.clone(),
            decision: Some(&decided),
            benchmark: Some(Expected {
                ensemble: &orders,
                vectors: Some("[[1],[2],[3]]"),
                outputs: "[1,2,3]",
            }),
            ..run(&total, &orders, Verdict::Recorded, "")
        })
        .unwrap();

    let benchmark = fixture.store.benchmark(&total).unwrap().unwrap();
    assert_eq!(Some(benchmark.uuid), committed.benchmark);
    assert_eq!(benchmark.uuid.get_version_num(), 4);
    assert_eq!(benchmark.ensemble, orders);
    assert_eq!(benchmark.vectors.as_deref(), Some("[[1],[2],[3]]"));
    assert_eq!(benchmark.outputs, "[1,2,3]");

    let history = fixture.store.history(&total, 10).unwrap();
    let [assertion] = &history[..] else {
        panic!("{history:?}")
    };
    assert_eq!(Some(assertion.uuid), committed.assertion);
    assert_eq!(assertion.uuid.get_version_num(), 7);
    assert_eq!(assertion.benchmark, benchmark.uuid);
    assert!(assertion.asserted && assertion.timestamp >= benchmark.added);
    assert_eq!(assertion.facts, Some(facts));

    let decisions = fixture.store.decisions(&total).unwrap();
    let [record] = &decisions[..] else {
        panic!("{decisions:?}")
    };
    assert_eq!(record.decision, decided);
    assert_eq!(record.benchmark, committed.benchmark);
    assert_eq!(record.time, assertion.timestamp);
    assert_eq!(record.uuid.get_version_num(), 7);
    assert_eq!(record.renamed_from, None);
}

#[test]
fn an_equal_run_adds_an_assertion_and_nothing_else() {
    let fixture = Fixture::new();
    let total = test("total");
    let first = fixture.run(&total, Verdict::Recorded, "[1,2,3]");
    let second = fixture.run(&total, Verdict::Same, "[1,2,3]");
    assert_eq!(first.benchmark, second.benchmark);
    assert_eq!(rows(&fixture, "assertion"), 2);
    for table in ["project", "definition", "ensemble", "test", "benchmark"] {
        assert_eq!(rows(&fixture, table), 1, "{table}");
    }
}

#[test]
fn other_outputs_make_another_benchmark_the_current_one() {
    let fixture = Fixture::new();
    let total = test("total");
    let first = fixture.run(&total, Verdict::Recorded, "[1,2,3]");
    let second = fixture.run(&total, Verdict::Recorded, "[1,2,4]");
    assert_ne!(first.benchmark, second.benchmark);
    let current = fixture.store.benchmark(&total).unwrap().unwrap();
    assert_eq!(current.outputs, "[1,2,4]");
    assert_eq!(rows(&fixture, "benchmark"), 2);
}

#[test]
fn going_back_to_an_earlier_benchmark_takes_it_up_again() {
    let fixture = Fixture::new();
    let total = test("total");
    let first = fixture.run(&total, Verdict::Recorded, "[1,2,3]");
    fixture.run(&total, Verdict::Recorded, "[1,2,4]");
    assert_eq!(
        fixture.run(&total, Verdict::Same, "[1,2,3]").benchmark,
        first.benchmark
    );
    assert_eq!(
        fixture.store.benchmark(&total).unwrap().unwrap().outputs,
        "[1,2,3]"
    );
    assert_eq!(rows(&fixture, "benchmark"), 2);
    assert_eq!(fixture.store.history(&total, 10).unwrap().len(), 3);
}

#[test]
fn everything_that_identifies_an_ensemble_makes_another_one() {
    let fixture = Fixture::new();
    let total = test("total");
    let original = ensemble();
    let mut variants = vec![original.clone(); 6];
    variants[1].size = 4;
    variants[2].seed = 7;
    variants[3].sampler_version = 2;
    variants[4].digest = "f".repeat(32);
    variants[5].definition = "{}".to_owned();
    let mut benchmarks = Vec::new();
    for variant in &variants {
        let run = run(&total, variant, Verdict::Recorded, "[1,2,3]");
        benchmarks.push(fixture.store.commit(&run).unwrap().benchmark.unwrap());
        assert_eq!(
            &fixture.store.benchmark(&total).unwrap().unwrap().ensemble,
            variant
        );
    }
    benchmarks.sort_unstable();
    benchmarks.dedup();
    assert_eq!(benchmarks.len(), 6);

    let renamed = tdg_engine::Ensemble {
        name: "renamed".to_owned(),
        ..original
    };
    fixture
        .store
        .commit(&run(&total, &renamed, Verdict::Same, "[1,2,3]"))
        .unwrap();
    assert_eq!(rows(&fixture, "ensemble"), 6);
}

#[test]
fn tests_with_equal_rows_share_the_ensemble_but_no_benchmark() {
    let fixture = Fixture::new();
    let first = fixture.run(&test("total"), Verdict::Recorded, "[1,2,3]");
    let second = fixture.run(&test("tax"), Verdict::Recorded, "[1,2,3]");
    assert_ne!(first.benchmark, second.benchmark);
    assert_eq!(rows(&fixture, "ensemble"), 1);
}

#[test]
fn packages_and_source_files_keep_tests_of_one_name_apart() {
    let fixture = Fixture::new();
    let here = test("total");
    let mut elsewhere = vec![here.clone(); 2];
    elsewhere[0].package = "shop-cli".to_owned();
    elsewhere[1].source = "tests/pricing.rs".to_owned();
    fixture.run(&here, Verdict::Recorded, "[1,2,3]");
    for test in &elsewhere {
        assert_eq!(fixture.store.benchmark(test).unwrap(), None);
        fixture.run(test, Verdict::Recorded, "[4,5,6]");
    }
    assert_eq!(
        fixture.store.benchmark(&here).unwrap().unwrap().outputs,
        "[1,2,3]"
    );
    assert_eq!(fixture.store.history(&here, 10).unwrap().len(), 1);
    assert_eq!(rows(&fixture, "project"), 2);
}

#[test]
fn a_missing_benchmark_leaves_nothing_to_assert() {
    let fixture = Fixture::new();
    let (total, orders) = (test("total"), ensemble());
    let missing = Run {
        benchmark: None,
        ..run(&total, &orders, Verdict::Missing, "")
    };
    for _ in 0..2 {
        let committed = fixture.store.commit(&missing).unwrap();
        assert_eq!((committed.benchmark, committed.assertion), (None, None));
        assert_eq!(rows(&fixture, "test"), 1);
    }
    fixture.run(&total, Verdict::Recorded, "[1,2,3]");
    fixture.store.commit(&missing).unwrap();
    assert_eq!(fixture.store.benchmark(&total).unwrap(), None);
    assert_eq!(fixture.store.history(&total, 10).unwrap().len(), 1);
}

#[test]
fn a_run_that_could_not_read_its_benchmark_leaves_the_stored_one() {
    let fixture = Fixture::new();
    let (total, orders) = (test("total"), ensemble());
    fixture.run(&total, Verdict::Recorded, "[1,2,3]");
    let invalid = Run {
        benchmark: None,
        ..run(&total, &orders, Verdict::Invalid, "")
    };
    fixture.store.commit(&invalid).unwrap();
    assert_eq!(
        fixture.store.benchmark(&total).unwrap().unwrap().outputs,
        "[1,2,3]"
    );
}

#[test]
fn two_functions_of_one_identity_are_noticed_within_a_run() {
    let fixture = Fixture::new();
    let (total, orders) = (test("total"), ensemble());
    let claimed = |function, run_id, outputs| {
        fixture.store.commit(&Run {
            claim: Claim {
                function,
                run: run_id,
            },
            ..run(&total, &orders, Verdict::Recorded, outputs)
        })
    };
    claimed("a::total", Some("1"), "[1]").unwrap();
    claimed("a::total", Some("1"), "[1]").unwrap();
    let error = claimed("b::total", Some("1"), "[2]").unwrap_err();
    assert!(
        matches!(&error.problem, StoreProblem::Claimed { by } if by == "a::total"),
        "{error:?}"
    );
    assert!(!error.is_unavailable());
    assert_eq!(
        fixture.store.benchmark(&total).unwrap().unwrap().outputs,
        "[1]"
    );
    assert_eq!(rows(&fixture, "assertion"), 2);

    // Another run may have moved the function. Runs without an identifier can't be compared.
    claimed("b::total", None, "[2]").unwrap();
    claimed("b::total", Some("2"), "[2]").unwrap();
    assert!(claimed("a::total", Some("2"), "[1]").is_err());
}

#[test]
fn a_second_connection_sees_the_commits_of_the_first() {
    let fixture = Fixture::new();
    let total = test("total");
    let other = Store::open(&fixture.directory()).unwrap();
    fixture.run(&total, Verdict::Recorded, "[1,2,3]");
    assert_eq!(other.benchmark(&total).unwrap().unwrap().outputs, "[1,2,3]");
}

#[test]
fn any_text_survives() {
    let fixture = Fixture::new();
    let odd = "'; DROP TABLE test; -- \u{0}\u{1F980}\n\"";
    let mut odd_ensemble = ensemble();
    odd_ensemble.name = odd.to_owned();
    odd_ensemble.definition = odd.to_owned();
    let odd_test = test(odd);
    let odd_run = Run {
        policy: Some(odd),
        pending: PendingUpdate::Set {
            outputs: Expected {
                ensemble: &odd_ensemble,
                vectors: Some(odd),
                outputs: odd,
            },
            takes: Some(odd),
            recorded_outputs: Some(odd),
            is_reported: false,
        },
        ..run(&odd_test, &odd_ensemble, Verdict::Changed, odd)
    };
    fixture.store.commit(&odd_run).unwrap();
    fixture.store.commit(&odd_run).unwrap();
    for read in [
        fixture.store.benchmark(&odd_test),
        fixture.store.pending_change(&odd_test),
    ] {
        let read = read.unwrap().unwrap();
        assert_eq!(
            (&read.ensemble, read.outputs.as_str()),
            (&odd_ensemble, odd)
        );
    }
    assert_eq!(rows(&fixture, "benchmark"), 1);
}

#[test]
fn the_policy_of_a_benchmark_comes_from_the_last_run_that_passed() {
    let fixture = Fixture::new();
    let (total, orders) = (test("total"), ensemble());
    let after = |verdict, policy| {
        let run = run(&total, &orders, verdict, "[1,2,3]");
        fixture.store.commit(&Run { policy, ..run }).unwrap();
        fixture.store.benchmark(&total).unwrap().unwrap().policy
    };
    let (exact, looser) = (Some("{}"), Some(r#"{"tolerance":{"rel":0.5}}"#));
    assert_eq!(after(Verdict::Same, None), None);
    assert_eq!(after(Verdict::Same, exact).as_deref(), exact);
    assert_eq!(after(Verdict::Changed, looser).as_deref(), exact);
    assert_eq!(after(Verdict::Same, looser).as_deref(), looser);
    // The policy follows the benchmark to another name.
    let renamed = test("renamed");
    let decision = decision(DecisionKind::Renamed, "clearer");
    fixture.store.rename(&total, &renamed, &decision).unwrap();
    let benchmark = fixture.store.benchmark(&renamed).unwrap().unwrap();
    assert_eq!(benchmark.policy.as_deref(), looser);
    let stated = benchmark.to_snapshot().unwrap().policy().to_json();
    assert_eq!(Some(stated.to_string().as_str()), looser);
}

#[test]
fn outputs_came_out_on_the_platform_of_a_run_that_passed_without_a_tolerance() {
    let fixture = Fixture::new();
    let (total, orders) = (test("total"), ensemble());
    let platforms = |outputs| {
        let expected = Expected {
            ensemble: &orders,
            vectors: None,
            outputs,
        };
        fixture.store.platforms(&total, &expected).unwrap()
    };
    let here = ("linux".to_owned(), "x86_64".to_owned());
    assert_eq!(platforms("[1,2,3]"), []);
    let mut tolerant = run(&total, &orders, Verdict::Same, "[1,2,3]");
    tolerant.facts.tolerance_use = Some(0.5);
    fixture.store.commit(&tolerant).unwrap();
    assert_eq!(platforms("[1,2,3]"), []);
    fixture.run(&total, Verdict::Same, "[1,2,3]");
    fixture.run(&total, Verdict::Changed, "[1,2,4]");
    assert_eq!(platforms("[1,2,3]"), [here]);
    assert_eq!(platforms("[1,2,4]"), []);
}
