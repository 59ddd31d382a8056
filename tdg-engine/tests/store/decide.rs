use tdg_engine::output::Outputs;
use tdg_engine::store::{
    self, Decision, DecisionKind, Expected, PendingUpdate, Run, StoreProblem, Uuid,
};
use tdg_engine::{Ensemble, TestId, Verdict};

use crate::sample::{Fixture, decision, ensemble, rows, run, test};

/// Commits a run with `rows` whose outputs changed from `[1,2,3]` to `outputs`.
fn changed(fixture: &Fixture, test: &TestId, rows: &Ensemble, outputs: &str) -> Uuid {
    let before = ensemble();
    let change = Expected {
        ensemble: rows,
        vectors: Some("[[7]]"),
        outputs,
    };
    fixture
        .store
        .commit(&Run {
            policy: Some("{}"),
            pending: PendingUpdate::Set {
                outputs: change,
                takes: None,
                recorded_outputs: None,
                is_reported: false,
            },
            ..run(test, &before, Verdict::Changed, "[1,2,3]")
        })
        .unwrap();
    fixture.store.pending_change(test).unwrap().unwrap().uuid
}

#[test]
fn a_change_is_pending_next_to_the_benchmark() {
    let fixture = Fixture::new();
    let total = test("total");
    let change = changed(&fixture, &total, &ensemble(), "[1,2,4]");
    assert_eq!(
        fixture.store.benchmark(&total).unwrap().unwrap().outputs,
        "[1,2,3]"
    );
    assert_eq!(
        fixture
            .store
            .pending_change(&total)
            .unwrap()
            .unwrap()
            .outputs,
        "[1,2,4]"
    );
    let pending = fixture.store.pending_changes().unwrap();
    assert_eq!(pending.len(), 1);
    assert_eq!((&pending[0].test, pending[0].uuid), (&total, change));
}

#[test]
fn the_same_change_again_stays_the_same_one() {
    let fixture = Fixture::new();
    let total = test("total");
    let first = changed(&fixture, &total, &ensemble(), "[1,2,4]");
    assert_eq!(changed(&fixture, &total, &ensemble(), "[1,2,4]"), first);
    assert_ne!(changed(&fixture, &total, &ensemble(), "[1,2,5]"), first);
    let other_rows = Ensemble {
        seed: 1,
        ..ensemble()
    };
    let last = changed(&fixture, &total, &other_rows, "[1,2,5]");
    assert_eq!(
        fixture
            .store
            .pending_change(&total)
            .unwrap()
            .unwrap()
            .ensemble,
        other_rows
    );
    assert_eq!(fixture.store.pending_changes().unwrap()[0].uuid, last);
    assert_eq!(rows(&fixture, "pending"), 1);
}

#[test]
fn a_run_keeps_or_clears_the_pending_change() {
    let fixture = Fixture::new();
    let (total, orders) = (test("total"), ensemble());
    changed(&fixture, &total, &orders, "[1,2,4]");
    let panicked = Run {
        pending: PendingUpdate::Keep,
        ..run(&total, &orders, Verdict::Panicked, "[1,2,3]")
    };
    fixture.store.commit(&panicked).unwrap();
    assert_eq!(fixture.store.pending_changes().unwrap().len(), 1);
    fixture.run(&total, Verdict::Same, "[1,2,3]");
    assert_eq!(fixture.store.pending_changes().unwrap(), []);
}

#[test]
fn accepting_makes_the_change_the_benchmark() {
    let fixture = Fixture::new();
    let total = test("total");
    let other_rows = Ensemble {
        size: 1,
        ..ensemble()
    };
    let change = changed(&fixture, &total, &other_rows, "[4]");
    let decided = decision(DecisionKind::Accepted, "new prices");
    let accepted = fixture.store.accept(&total, change, &decided).unwrap();
    let benchmark = fixture.store.benchmark(&total).unwrap().unwrap();
    assert_eq!(benchmark.uuid, accepted);
    assert_eq!(
        (&benchmark.ensemble, benchmark.outputs.as_str()),
        (&other_rows, "[4]")
    );
    assert_eq!(benchmark.vectors.as_deref(), Some("[[7]]"));
    let decisions = fixture.store.decisions(&total).unwrap();
    assert_eq!(decisions.len(), 1);
    assert_eq!(decisions[0].decision, decided);
    assert_eq!(decisions[0].benchmark, Some(accepted));
    assert_eq!(fixture.store.pending_changes().unwrap(), []);

    let same = run(&total, &other_rows, Verdict::Same, "[4]");
    assert_eq!(
        fixture.store.commit(&same).unwrap().benchmark,
        Some(accepted)
    );
}

#[test]
fn rejecting_leaves_the_benchmark() {
    let fixture = Fixture::new();
    let total = test("total");
    let change = changed(&fixture, &total, &ensemble(), "[1,2,4]");
    let decided = decision(DecisionKind::Rejected, "a mistake");
    let store = &fixture.store;
    store.reject(&total, Some(change), &decided).unwrap();
    assert_eq!(
        fixture.store.benchmark(&total).unwrap().unwrap().outputs,
        "[1,2,3]"
    );
    assert_eq!(store.pending_change(&total).unwrap(), None);
    let decisions = store.decisions(&total).unwrap();
    assert_eq!(decisions.len(), 1);
    assert_eq!(
        (&decisions[0].decision, decisions[0].benchmark),
        (&decided, None)
    );

    // Rejects a change that the store doesn't have.
    store.reject(&test("tax"), None, &decided).unwrap();
    assert_eq!(store.decisions(&test("tax")).unwrap().len(), 1);
}

#[test]
fn a_decision_about_a_change_that_was_replaced_is_refused() {
    let fixture = Fixture::new();
    let total = test("total");
    let seen = changed(&fixture, &total, &ensemble(), "[1,2,4]");
    changed(&fixture, &total, &ensemble(), "[1,2,5]");
    let decision = Decision::new(DecisionKind::Accepted);
    let store = &fixture.store;
    let accepted = store.accept(&total, seen, &decision).map(|_| ());
    let rejected = store.reject(&total, Some(seen), &decision);
    let unknown = store.reject(&test("tax"), Some(seen), &decision);
    for refused in [accepted, rejected, unknown] {
        assert!(matches!(
            refused.unwrap_err().problem,
            StoreProblem::Superseded
        ));
    }
    assert_eq!(
        fixture.store.benchmark(&total).unwrap().unwrap().outputs,
        "[1,2,3]"
    );
    assert_eq!(
        fixture
            .store
            .pending_change(&total)
            .unwrap()
            .unwrap()
            .outputs,
        "[1,2,5]"
    );
    assert_eq!(fixture.store.decisions(&total).unwrap(), []);
}

#[test]
fn a_change_is_shown_until_another_one_replaces_it() {
    let fixture = Fixture::new();
    let total = test("total");
    let details = || fixture.store.pending_details(&total).unwrap().unwrap();
    let leave = |takes| {
        let orders = ensemble();
        let set = PendingUpdate::Set {
            outputs: Expected {
                ensemble: &orders,
                vectors: None,
                outputs: "[1,2,4]",
            },
            takes,
            recorded_outputs: Some("[1,2,3]"),
            is_reported: false,
        };
        let run = run(&total, &orders, Verdict::Changed, "[1,2,3]");
        fixture
            .store
            .commit(&Run {
                policy: Some("{}"),
                pending: set,
                ..run
            })
            .unwrap();
        details().uuid
    };
    let change = leave(Some(r#"["age"]"#));
    assert_eq!(details().shown, None);
    fixture.store.mark_shown(change, Some("abc")).unwrap();
    assert_eq!(leave(Some(r#"["age"]"#)), change);
    let shown = details();
    assert!(shown.shown.is_some(), "{shown:?}");
    assert_eq!(shown.shown_beside.as_deref(), Some("abc"));
    assert_eq!(shown.policy.as_deref(), Some("{}"));
    assert_eq!(shown.takes.as_deref(), Some(r#"["age"]"#));
    assert_eq!(shown.recorded_outputs.as_deref(), Some("[1,2,3]"));

    assert_ne!(leave(None), change);
    assert_eq!((details().shown, details().shown_beside), (None, None));
    fixture.store.mark_shown(change, None).unwrap();
    assert_eq!(
        details().shown,
        None,
        "it was another change that was shown"
    );
}

#[test]
fn the_report_of_a_failing_test_and_an_accepted_part_leave_a_change_seen() {
    let fixture = Fixture::new();
    let (total, orders) = (test("total"), ensemble());
    let details = || fixture.store.pending_details(&total).unwrap().unwrap();
    let leave = |outputs, is_reported| {
        let mut pending = crate::sample::pending(&orders, outputs);
        if let PendingUpdate::Set {
            is_reported: reported,
            ..
        } = &mut pending
        {
            *reported = is_reported;
        }
        let run = run(&total, &orders, Verdict::Changed, "[1,2,3]");
        fixture.store.commit(&Run { pending, ..run }).unwrap();
        details().uuid
    };
    let beside = |outputs: &str| {
        let outputs = Outputs::parse(outputs).unwrap();
        Some(store::beside(&orders, &outputs.digest()))
    };
    leave("[1,4,5]", false);
    assert_eq!((details().shown, details().shown_beside), (None, None));
    let change = leave("[1,4,5]", true);
    assert_eq!(details().shown, None);
    assert_eq!(details().shown_beside, beside("[1,2,3]"));

    let benchmark = beside("[1,2,3]");
    let show = || fixture.store.mark_shown(change, benchmark.as_deref());
    show().unwrap();
    leave("[1,4,5]", true);
    assert!(details().shown.is_some(), "the same change, shown already");
    let mixed = Expected {
        ensemble: &orders,
        vectors: None,
        outputs: "[1,4,3]",
    };
    let part = decision(DecisionKind::AcceptedInPart, "the second");
    fixture.store.adopt(&total, &mixed, &part).unwrap();
    assert_eq!(details().shown, None, "what is left was not listed");
    assert_eq!(details().shown_beside, beside("[1,4,3]"));

    show().unwrap();
    for outputs in ["[1,4,6]", "[1,4,7]"] {
        leave(outputs, true);
        assert_eq!(details().shown_outputs.as_deref(), Some("[1,4,5]"));
    }
    assert_eq!(details().shown, None);
    fixture.store.mark_shown(details().uuid, None).unwrap();
    assert_eq!(details().shown_outputs, None);
}
