use tdg_engine::Verdict;

use crate::sample::{Fixture, ensemble, rows, run, test};

#[test]
fn history_is_newest_first_across_the_benchmarks_of_a_test() {
    let fixture = Fixture::new();
    let (total, orders) = (test("total"), ensemble());
    for (cases, outputs) in (0..).zip(["[1]", "[2]", "[1]", "[1]"]) {
        let mut run = run(&total, &orders, Verdict::Same, outputs);
        run.facts.cases = cases;
        fixture.store.commit(&run).unwrap();
        // Two benchmarks in the same microsecond have no order.
        let before = fixture.store.history(&total, 1).unwrap()[0].timestamp;
        while microseconds() <= before {}
    }
    let cases = |limit| {
        let history = fixture.store.history(&total, limit).unwrap();
        history
            .iter()
            .map(|assertion| assertion.facts.as_ref().unwrap().cases)
            .collect::<Vec<_>>()
    };
    assert_eq!(cases(10), [3, 2, 1, 0]);
    assert_eq!(cases(2), [3, 2]);
}

fn microseconds() -> i64 {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap();
    i64::try_from(since.as_micros()).unwrap()
}

#[test]
fn runs_of_one_benchmark_keep_their_order_within_a_microsecond() {
    let fixture = Fixture::new();
    let (total, orders) = (test("total"), ensemble());
    for cases in 0..50 {
        let mut run = run(&total, &orders, Verdict::Same, "[1]");
        run.facts.cases = cases;
        fixture.store.commit(&run).unwrap();
    }
    let history = fixture.store.history(&total, 50).unwrap();
    assert!(
        history
            .iter()
            .map(|assertion| assertion.facts.as_ref().unwrap().cases)
            .eq((0..50).rev())
    );
}

#[test]
fn a_clock_that_was_set_back_does_not_reorder_a_history() {
    let fixture = Fixture::new();
    let total = test("total");
    fixture.run(&total, Verdict::Recorded, "[1]");
    let tomorrow = microseconds() + 86_400_000_000;
    let connection = rusqlite::Connection::open(fixture.store.file()).unwrap();
    connection
        .execute("UPDATE assertion SET timestamp = ?1", [tomorrow])
        .unwrap();
    fixture.run(&total, Verdict::Same, "[1]");
    let history = fixture.store.history(&total, 10).unwrap();
    assert_eq!(history[0].verdict(), Verdict::Same);
    assert_eq!(history[0].timestamp, tomorrow + 1);
}

#[test]
fn the_newest_thousand_assertions_of_each_benchmark_are_kept() {
    let fixture = Fixture::new();
    let (total, orders) = (test("total"), ensemble());
    fixture.run(&test("tax"), Verdict::Recorded, "[1]");
    // They are removed in batches.
    for cases in 0..1024 {
        let mut run = run(&total, &orders, Verdict::Same, "[1]");
        run.facts.cases = cases;
        fixture.store.commit(&run).unwrap();
    }
    let history = fixture.store.history(&total, usize::MAX).unwrap();
    assert!(
        history
            .iter()
            .map(|assertion| assertion.facts.as_ref().unwrap().cases)
            .eq((24..1024).rev())
    );
    assert_eq!(rows(&fixture, "assertion"), 1001);
}
