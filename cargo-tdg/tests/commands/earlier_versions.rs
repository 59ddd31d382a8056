//! Snapshot files and stores written by earlier versions (`fixtures/written-by`).

use tdg_tests::{Checkout, Program};

use crate::{ended, tdg};

fn with_files() -> Checkout<'static> {
    Program::ledger().checkout().with_store("store.db")
}

fn without_files() -> Checkout<'static> {
    let ledger = Program::ledger().checkout();
    ledger.write("tdg.toml", "snapshots = false\n");
    ledger.with_store("store-without-files.db")
}

/// Returns the output and the exit code of a command.
fn said(ledger: &Checkout<'_>, arguments: &[&str]) -> String {
    ended(ledger, &tdg(ledger, arguments).finish())
}

#[test]
fn the_history_continues() {
    let history = |ledger: &Checkout<'_>| {
        ledger.test("orders", &["--exact", "price"]).passes();
        said(ledger, &["history", "price"])
    };
    // 0.1.0 used the first run with the same outputs for the time of the second decision.
    insta::assert_snapshot!(history(&with_files()), @"
    price
               when (UTC)  run             changed  cases  decision  reason
      yyyy-mm-dd hh:mm:ss  same                  0     60
      yyyy-mm-dd hh:mm:ss  same                  0     60
      yyyy-mm-dd hh:mm:ss  changed               4     60
      yyyy-mm-dd hh:mm:ss  same                  0     60
      yyyy-mm-dd hh:mm:ss                                  accepted  prices rose by 3 % – größe ✓
      yyyy-mm-dd hh:mm:ss  changed               4     60
      yyyy-mm-dd hh:mm:ss  inputs changed        0     60
      yyyy-mm-dd hh:mm:ss  unstable             60     60
      yyyy-mm-dd hh:mm:ss  panicked              0     60
      yyyy-mm-dd hh:mm:ss  same                  0     60
      yyyy-mm-dd hh:mm:ss  recorded              0     60  accepted  the old prices are back
    (0)
    ");
    insta::assert_snapshot!(history(&without_files()), @"
    price
               when (UTC)  run             changed  cases  decision  reason
      yyyy-mm-dd hh:mm:ss  same                  0     60
      yyyy-mm-dd hh:mm:ss  same                  0     60
      yyyy-mm-dd hh:mm:ss                                  accepted  the old prices are back
      yyyy-mm-dd hh:mm:ss  changed               4     60
      yyyy-mm-dd hh:mm:ss  same                  0     60
      yyyy-mm-dd hh:mm:ss                                  accepted  prices rose by 3 % – größe ✓
      yyyy-mm-dd hh:mm:ss  changed               4     60
      yyyy-mm-dd hh:mm:ss  inputs changed        0     60
      yyyy-mm-dd hh:mm:ss  unstable             60     60
      yyyy-mm-dd hh:mm:ss  panicked              0     60
      yyyy-mm-dd hh:mm:ss  same                  0     60
      yyyy-mm-dd hh:mm:ss  recorded              0     60  recorded
    (0)
    ");
    for ledger in [with_files(), without_files()] {
        let history = said(&ledger, &["history", "invoice"]);
        insta::allow_duplicates!(insta::assert_snapshot!(history, @"
        invoice
                   when (UTC)  run       changed  cases  tolerance used     decision
          yyyy-mm-dd hh:mm:ss  same            0     20  ▕███████   ▏ 63 %
          yyyy-mm-dd hh:mm:ss  same            0     20  ▕█         ▏ 0 %
          yyyy-mm-dd hh:mm:ss  recorded        0     20                     recorded
        (0)
        "));
    }
}

#[test]
fn pending_changes_are_listed_and_shown() {
    insta::assert_snapshot!(said(&with_files(), &["pending"]), @"
    raised     6 of 12 cases changed   tests/snapshots/orders__raised.snap
    undecided  new, 3 cases            tests/snapshots/orders__undecided.snap
    total      10 of 50 cases changed  tests/snapshots/pricing__total.snap

    decide: cargo tdg review, or accept NAME, reject NAME
    (1)
    ");
    insta::assert_snapshot!(said(&without_files(), &["pending"]), @"
    raised     6 of 12 cases changed  in the store
    undecided  new, 3 cases           in the store

    decide: cargo tdg review, or accept NAME, reject NAME
    (1)
    ");
    for ledger in [with_files(), without_files()] {
        let shown = said(&ledger, &["show", "raised", "--changed"]);
        insta::allow_duplicates!(insta::assert_snapshot!(shown, @r#"
        raised: 6 of 12 cases changed

          no rule was found for the 6 cases that changed
          actual = 1.03 × expected in all 6

          case     amount  quantity  coupon   expected     actual   error
             9  24.357978        11  "NONE"  267.93776  275.97589  +8.038  +3.0 %
             2  27.339743         7  "NONE"  191.37820  197.11955  +5.741  +3.0 %
             0  22.713529        14  null    317.98940  327.52909   +9.54  +3.0 %
             4  27.432540        18  "NONE"  493.78571  508.59928  +14.81  +3.0 %
             7  29.896510        17  "NONE"  508.24067  523.48789  +15.25  +3.0 %
            11  17.123336        18  "NONE"  308.22006  317.46666  +9.247  +3.0 %
          largest error 15.25 (3.0 %), median 9.393
        (0)
        "#));
    }
}

#[test]
fn pending_changes_are_accepted() {
    for ledger in [with_files(), without_files()] {
        let accept = ["accept", "raised", "undecided", "--reason", "as intended"];
        tdg(&ledger, &accept).passes();
        let run = ledger.test("orders", &["--exact", "raised", "undecided"]);
        assert_eq!(run.env("FACTOR", "1.03").passes().said(), "");
        ledger.test("orders", &["--exact", "raised"]).fails();
        let history = tdg(&ledger, &["history", "raised"]).passes();
        assert!(history.stdout.contains("as intended"), "{history}");
    }
}

#[test]
fn a_pinned_benchmark_is_shown_with_its_downloaded_outputs() {
    let ledger = with_files();
    insta::assert_snapshot!(said(&ledger, &["show", "ledger::total"]), @"
    total
      50 cases, seed 0, tests/snapshots/pricing__total.snap
      tests/pricing.rs, digest 5aa1ddf83b3f2a946eb795f23a091a5f
      pending: 10 of 50 cases changed

      feature   type     values
      amount    FLOAT    6.14 ▕▃▃▅▂█▂▄▅▃▄▂▄▄▃▄▂ ▃▃▂▂ ▂▂▏ 54.04  mean 25.09, sd 12.18
      quantity  INTEGER  1 ▕▄▃▆▆ ▄▂▄▂▃▆▄▂█▄▃▂▇ ▃▏ 20  mean 10.28, sd 5.739

      output
      (all)              12.68 ▕█▆▇▂▄▅▃▄▆▄▃▃▂ ▃   ▂▂   ▃▏ 918.6  mean 269.4, sd 224.3
    (0)
    ");
}

#[test]
fn a_benchmark_of_a_definition_that_may_be_refused_now_is_shown() {
    let ledger = with_files();
    let shown = tdg(&ledger, &["show", "refused", "--rows", "--json"]).passes();
    assert_eq!(shown.stdout.lines().count(), 20);
    // The function under test returns its inputs.
    for line in shown.stdout.lines() {
        let (_, recorded) = line.split_once("\"output\":[").unwrap();
        let (recorded, _) = recorded.split_once(']').unwrap();
        let (narrow, inexact) = recorded.split_once(',').unwrap();
        let row = format!("\"row\":{{\"inexact\":{inexact},\"narrow\":{narrow}}}");
        assert!(line.contains(&row), "{line}");
    }
}
