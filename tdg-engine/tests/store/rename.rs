use tdg_engine::Verdict;
use tdg_engine::store::{Decision, DecisionKind, Run};

use crate::sample::{Fixture, decision, ensemble, pending, rows, run, test};

#[test]
fn a_test_keeps_everything_under_its_new_name() {
    let fixture = Fixture::new();
    let (old, new) = (test("total"), test("sum"));
    let recorded = decision(DecisionKind::Recorded, "the first prices");
    let orders = ensemble();
    let first = Run {
        decision: Some(&recorded),
        ..run(&old, &orders, Verdict::Recorded, "[1,2,3]")
    };
    let benchmark = fixture.store.commit(&first).unwrap().benchmark;
    let renamed = decision(DecisionKind::Renamed, "sums are no totals");
    fixture.store.rename(&old, &new, &renamed).unwrap();

    let found = fixture.store.benchmark(&new).unwrap().unwrap();
    assert_eq!(Some(found.uuid), benchmark);
    assert_eq!(fixture.store.history(&new, 10).unwrap().len(), 1);
    let decisions = fixture.store.decisions(&new).unwrap();
    let of: Vec<_> = decisions
        .iter()
        .map(|it| (&it.decision, it.renamed_from.as_ref()))
        .collect();
    assert_eq!(of, [(&renamed, Some(&old)), (&recorded, None)]);

    assert_eq!(fixture.store.benchmark(&old).unwrap(), None);
    assert_eq!(fixture.store.decisions(&old).unwrap(), []);
    assert_eq!(fixture.store.tests().unwrap(), [new]);
}

#[test]
fn the_history_of_the_new_name_is_kept_as_well() {
    let fixture = Fixture::new();
    let (old, new) = (test("total"), test("sum"));
    let orders = ensemble();
    for (test, outputs, actual) in [(&old, "[1,2,3]", "[1,2,4]"), (&new, "[7,8,9]", "[1,2,5]")] {
        let changed = Run {
            pending: pending(&orders, actual),
            ..run(test, &orders, Verdict::Changed, outputs)
        };
        fixture.store.commit(&changed).unwrap();
    }
    let renamed = Decision::new(DecisionKind::Renamed);
    for (from, to) in [(&old, &new), (&old, &new), (&new, &new)] {
        fixture.store.rename(from, to, &renamed).unwrap();
    }
    let store = &fixture.store;
    assert_eq!(store.benchmark(&new).unwrap().unwrap().outputs, "[1,2,3]");
    assert_eq!(
        store.pending_change(&new).unwrap().unwrap().outputs,
        "[1,2,5]"
    );
    assert_eq!(store.history(&new, 10).unwrap().len(), 2);
    assert_eq!(store.decisions(&new).unwrap().len(), 3);
    assert_eq!((rows(&fixture, "test"), rows(&fixture, "pending")), (1, 1));
}
