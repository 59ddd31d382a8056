//! Reads snapshot files and stores written by earlier versions (`fixtures/written-by`).

use std::collections::BTreeMap;
use std::fs;

use tdg_tests::{Checkout, Program};

use crate::history::integrity;

const RAISED: &str = "tests/snapshots/orders__raised.snap.new";

fn with_files() -> Checkout<'static> {
    Program::ledger().checkout().with_store("store.db")
}

fn without_files() -> Checkout<'static> {
    let ledger = Program::ledger().checkout();
    ledger.write("tdg.toml", "snapshots = false\n");
    ledger.remove("src/snapshots");
    ledger.remove("tests/snapshots");
    ledger.with_store("store-without-files.db")
}

/// Returns every snapshot file and pending change with its text.
fn files(ledger: &Checkout<'_>) -> BTreeMap<String, String> {
    let folders = ["src/snapshots", "tests/snapshots"];
    let found = folders.iter().flat_map(|folder| {
        let entries = fs::read_dir(ledger.path(folder)).into_iter().flatten();
        entries.map(move |entry| {
            let name = entry.unwrap().file_name();
            format!("{folder}/{}", name.to_string_lossy())
        })
    });
    found
        .map(|path| (path.clone(), ledger.read(&path)))
        .collect()
}

/// Runs all tests except the one without a benchmark. They must pass and print nothing.
#[track_caller]
fn is_same(ledger: &Checkout<'_>, targets: &[&str]) {
    for target in targets {
        let run = ledger.test(target, &["--skip", "undecided"]).passes();
        assert_eq!(run.said(), "", "{run}");
        assert!(!run.stdout.contains("running 0 tests"), "{run}");
    }
    assert_eq!(integrity(ledger), "ok");
}

#[test]
fn outputs_are_the_same_and_no_file_is_rewritten() {
    let ledger = with_files();
    let mut before = files(&ledger);
    is_same(&ledger, &["ledger", "orders", "outputs", "definitions"]);
    // Its test passes again, so the change is no longer pending.
    assert!(before.remove(RAISED).is_some());
    assert_eq!(files(&ledger), before);
}

#[test]
fn outputs_match_benchmarks_kept_only_in_the_store() {
    let ledger = without_files();
    is_same(&ledger, &["orders", "outputs", "definitions"]);
    assert!(files(&ledger).is_empty());
}

#[test]
fn a_broken_function_is_changed() {
    let changed = |ledger: &Checkout<'_>| {
        let price = ledger.test("orders", &["--exact", "price"]);
        price.env("FACTOR", "1.03").fails().said()
    };
    insta::assert_snapshot!(changed(&with_files()), @"tdg: changed price, 4 of 60 cases, pending in tests/snapshots/orders__price.snap.new");
    insta::assert_snapshot!(changed(&without_files()), @"tdg: changed price, 4 of 60 cases, pending in the store");
}

#[test]
fn a_policy_applies_to_an_old_benchmark() {
    for ledger in [with_files(), without_files()] {
        let invoice = |factor| {
            let run = ledger.test("orders", &["--exact", "invoice"]);
            run.env("FACTOR", factor)
        };
        assert_eq!(invoice("1.01").passes().said(), "");
        invoice("1.5").fails();
    }
}
