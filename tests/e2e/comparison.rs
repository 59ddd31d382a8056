//! The changes that each policy allows, and the facts recorded about them.

use tdg_engine::Verdict;
use tdg_engine::store::RunFacts;
use tdg_tests::{Checkout, Program, Run};

use crate::history::{history, test_of};

fn run(shop: &Checkout<'_>, test: &str) -> Run {
    shop.test("comparison", &["--exact", test])
}

fn newest(shop: &Checkout<'_>, test: &str) -> RunFacts {
    let test = test_of("shop", "tests/comparison.rs", test);
    history(shop, &test).remove(0).facts.unwrap()
}

#[test]
fn the_use_of_every_kind_of_tolerance_is_in_the_history() {
    let shop = Program::shop().checkout();
    for test in ["by_rel", "by_abs", "by_ulp", "of_integers", "in_any_order"] {
        run(&shop, test).passes();
        run(&shop, test).passes();
        assert_eq!(newest(&shop, test).tolerance_use, None, "{test}");

        run(&shop, test).env("DRIFT", "1").passes();
        let assertion = newest(&shop, test);
        assert_eq!(assertion.verdict, Verdict::Same, "{test}");
        assert_eq!(assertion.changed, 0, "{test}");
        assert_eq!(assertion.tolerance_use, Some(0.5), "{test}");
    }
}

#[test]
fn as_many_cases_as_are_allowed_may_differ_and_it_is_said() {
    let shop = Program::shop().checkout();
    let snapshot = "tests/snapshots/comparison__mostly.snap";
    run(&shop, "mostly").passes();
    let recorded = shop.read(snapshot);

    let within = run(&shop, "mostly").env("WRONG", "5").passes();
    insta::assert_snapshot!(within.stderr, @"tdg: same mostly, 5 of 100 cases differ (allow = 0.05)");
    let assertion = newest(&shop, "mostly");
    assert_eq!((assertion.verdict, assertion.changed), (Verdict::Same, 5));
    let test = test_of("shop", "tests/comparison.rs", "mostly");
    assert!(history(&shop, &test)[0].asserted);

    let beyond = run(&shop, "mostly").env("WRONG", "6").fails();
    insta::assert_snapshot!(beyond.said(), @"tdg: changed mostly, 6 of 100 cases, pending in tests/snapshots/comparison__mostly.snap.new");
    assert_eq!(newest(&shop, "mostly").verdict, Verdict::Changed);

    // Allowed differences never become the benchmark, even if changes are accepted.
    run(&shop, "mostly")
        .env("WRONG", "5")
        .env("TDG_UPDATE", "always")
        .passes();
    assert_eq!(shop.read(snapshot), recorded);
}

#[test]
fn a_panic_other_inputs_and_outputs_that_are_unstable_are_never_allowed() {
    let shop = Program::shop().checkout();
    run(&shop, "nearly").passes();
    run(&shop, "nearly").env("DRIFT", "1").passes();
    assert!((1..=5).contains(&newest(&shop, "nearly").changed));
    for (variable, value, verdict) in [
        ("PANIC", "1", Verdict::Panicked),
        ("UNSTABLE", "1", Verdict::Unstable),
        ("SIZE", "11", Verdict::InputsChanged),
    ] {
        let said = run(&shop, "nearly").env(variable, value).fails().said();
        let line = format!("tdg: {verdict} nearly, ");
        assert!(said.starts_with(&line), "{said}");
    }
}

#[test]
fn a_pointer_that_leads_to_nothing_is_named() {
    let shop = Program::shop().checkout();
    let first = run(&shop, "misspelt").passes();
    insta::assert_snapshot!(first.stderr, @r#"
    tdg: recorded misspelt, 10 cases, tests/snapshots/comparison__misspelt.snap
    tdg: misspelt: all 10 outputs are equal: {"price":1.0}; was everything set up?
    tdg: no output of misspelt has a field "/prise": is the pointer right?
    "#);
    assert_eq!(run(&shop, "misspelt").passes().stderr, "");
}

#[test]
fn a_looser_policy_that_makes_cases_pass_is_accepted_like_a_change() {
    let shop = Program::shop().checkout();
    let snapshot = "tests/snapshots/inputs__of_policy.snap";
    let run = |tolerance: &str| shop.inputs("of_policy").env("TOLERANCE", tolerance);
    let broken = |tolerance: &str| run(tolerance).env("BREAK", "1");
    run("0.5").passes();
    let recorded = shop.read(snapshot);
    assert!(recorded.contains(r#","policy":{"tolerance":{"abs":0.5}},"#));
    let report = broken("2").fails().report();
    insta::assert_snapshot!(report.split_once("\n\n  case ").unwrap().0, @r#"
    of_policy: 27 of 200 cases pass only under a policy other than the recorded one

      recorded:   {"tolerance":{"abs":0.5}}
      the test's: {"tolerance":{"abs":2.0}}

      all 27 have a = 3   (27 of 27 such cases changed, 0 of the other 173)
      6.5 became 7.5 in all 27
    "#);

    // The same happens in a fresh clone, and on CI.
    shop.remove(".tdg");
    let clone = broken("2").env("CI", "1").fails().said();
    insta::assert_snapshot!(clone, @"tdg: changed of_policy, 27 of 200 cases pass only under a policy other than the recorded one, nothing written (CI is set)");
    assert_eq!(shop.read(snapshot), recorded);

    // A policy that no case needs is written if writing is allowed, as is a stricter one.
    assert_eq!(run("1").env("CI", "1").passes().said(), "");
    let looser = run("1").passes().said();
    insta::assert_snapshot!(looser, @"tdg: of_policy: its policy is now in tests/snapshots/inputs__of_policy.snap");
    assert_eq!(run("1").passes().said(), "");
    run("0.25").passes();
    assert!(shop.read(snapshot).contains(r#"{"abs":0.25}"#));
    broken("1").fails();

    let accepted = broken("2").env("TDG_UPDATE", "always").passes().said();
    insta::assert_snapshot!(accepted, @"tdg: accepted of_policy, 27 of 200 cases changed, tests/snapshots/inputs__of_policy.snap");
    assert_eq!(broken("2").env("CI", "1").passes().said(), "");
    run("0.5").fails();
}

#[test]
fn without_files_as_well_a_looser_policy_is_accepted_like_a_change() {
    let shop = Program::shop().checkout();
    shop.write("tdg.toml", "snapshots = false\n");
    let run = |tolerance: &str| shop.inputs("of_policy").env("TOLERANCE", tolerance);
    let broken = |tolerance: &str| run(tolerance).env("BREAK", "1");
    run("0.5").passes();
    // A failing run leaves the benchmark's policy unchanged.
    broken("0.75").fails();
    for _ in 0..2 {
        let said = broken("2").fails().said();
        insta::allow_duplicates!(
            insta::assert_snapshot!(said, @"tdg: changed of_policy, 27 of 200 cases pass only under a policy other than the recorded one, pending in the store")
        );
    }
    run("1").passes();
    broken("1").passes();
    broken("2").passes();
    run("0.25").passes();
    broken("2").fails();
    broken("2").env("TDG_UPDATE", "always").passes();
    broken("2").passes();
    run("0.5").fails();
}

#[test]
fn a_policy_that_leaves_nothing_to_compare_is_refused() {
    let shop = Program::shop().checkout();
    let refused = run(&shop, "ignored").fails();
    insta::assert_snapshot!(refused.report(), @"
    ignored: invalid: this run can't be compared

      the test ignores every field of its outputs, so nothing in its 10 cases is compared

      ignore less, or return () to record nothing
    ");
}

#[test]
fn outputs_that_hardly_reach_what_the_test_is_for_are_not_recorded() {
    let shop = Program::shop().checkout();
    let snapshot = "tests/snapshots/comparison__refunds.snap";
    let first = run(&shop, "refunds").fails();
    insta::assert_snapshot!(first.report(), @"
    refunds: 9 of 200 cases (4.5 %) have /refund > 0; at least 10 % should

      all 9 that fulfilled it have quantity >= 20   (9 of 9 such cases fulfilled it, 0 of the other 191)

      fix:  let the definition draw more such rows, or lower at_least
            this run recorded nothing
    ");
    assert!(!shop.has(snapshot));

    run(&shop, "refunds").env("GENEROUS", "1").passes();
    let recorded = shop.read(snapshot);
    // Accepting requires them as well.
    let accepted = run(&shop, "refunds").env("TDG_UPDATE", "always").fails();
    insta::assert_snapshot!(accepted.said(), @"tdg: unmet refunds, 9 of 200 cases (4.5 %) have /refund > 0; at least 10 % should");
    assert_eq!(shop.read(snapshot), recorded);
    // Unmet requirements are reported with the pending change, and fail the run after a decision.
    insta::assert_snapshot!(run(&shop, "refunds").fails().stderr, @"
    tdg: refunds: 9 of 200 cases (4.5 %) have /refund > 0; at least 10 % should
    tdg: changed refunds, 146 of 200 cases, pending in tests/snapshots/comparison__refunds.snap.new
    ");
    shop.write(snapshot, &shop.read(&format!("{snapshot}.new")));
    insta::assert_snapshot!(run(&shop, "refunds").fails().said(), @"tdg: unmet refunds, 9 of 200 cases (4.5 %) have /refund > 0; at least 10 % should");
    assert_eq!(newest(&shop, "refunds").verdict, Verdict::Unmet);
}

#[test]
fn draws_are_compared_by_their_distribution() {
    let shop = Program::shop().checkout();
    let snapshot = "tests/snapshots/comparison__draws.snap";
    run(&shop, "draws").passes();
    let recorded = shop.read(snapshot);
    for draws in ["1", "2", "3"] {
        run(&shop, "draws").env("DRAWS", draws).passes();
        assert_eq!(newest(&shop, "draws").verdict, Verdict::Same);
    }
    assert_eq!(shop.read(snapshot), recorded);

    let shifted = run(&shop, "draws")
        .env("DRAWS", "4")
        .env("SHIFT", "0.4")
        .fails();
    insta::assert_snapshot!(shifted.report(), @"
    draws: the distribution of /draw changed

      the distribution of /draw: D = 0.415, p = 8.33e-16 (below 1e-6)

                 least    25 %  median    75 %    most  0 … 1.4
      expected       0  0.2461  0.4984  0.7426  0.9969  ██▇█▇█▇██▇█▇█▇█▇█▂
      actual    0.4036   0.649  0.8982   1.154     1.4        ▁▇█▇█▇▇███▇██▆██▇█

      cause:   cargo tdg why
      accept:  cargo tdg review    (or cargo insta review)
    ");
    let assertion = newest(&shop, "draws");
    assert_eq!(
        (assertion.verdict, assertion.changed),
        (Verdict::Changed, 0)
    );
    assert!(shop.has(&format!("{snapshot}.new")));
}
