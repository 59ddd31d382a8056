//! An unusable store fails no test that has a snapshot file, and is left as it is.

use std::fs;

use tdg_tests::{Checkout, Finished, Program};

use crate::history::{history, integrity, test_of};

fn recorded() -> Checkout<'static> {
    let shop = Program::shop().checkout();
    shop.test("pricing", &["invoice", "total"]).passes();
    shop
}

/// Returns the messages of two tests of one process, without the folder's path.
fn notice(shop: &Checkout<'_>, run: &Finished) -> String {
    let folder = shop.folder().canonicalize().unwrap();
    let said = run.stderr.replace(&folder.display().to_string(), "<shop>");
    said.replace(&shop.folder().display().to_string(), "<shop>")
}

fn run(shop: &Checkout<'_>) -> Finished {
    shop.test("pricing", &["invoice", "total"]).passes()
}

/// Removes the journals, so that the next run opens the store.
fn remove_journals(shop: &Checkout<'_>) {
    shop.remove(".tdg/runs");
}

/// Removes the log, from which SQLite would restore the database if it had every page.
fn remove_log(shop: &Checkout<'_>) {
    shop.remove(".tdg/store.db-wal");
    shop.remove(".tdg/store.db-shm");
}

#[test]
fn a_corrupt_store_is_noticed_once_and_left() {
    let shop = recorded();
    remove_journals(&shop);
    remove_log(&shop);
    let garbage = "this was a database ".repeat(1000);
    shop.write(".tdg/store.db", &garbage);
    insta::assert_snapshot!(notice(&shop, &run(&shop)), @"tdg: no history is kept: the store <shop>/.tdg/store.db is damaged (file is not a database) and was left as it is: restore it, or delete the directory <shop>/.tdg (this loses the history, and benchmarks only if tdg.toml has `snapshots = false`)");
    assert_eq!(shop.read(".tdg/store.db"), garbage);
}

#[test]
fn runs_next_to_a_damaged_store_are_in_it_once_it_is_restored() {
    let shop = recorded();
    let total = test_of("shop", "tests/pricing.rs", "total");
    let store = rusqlite::Connection::open(shop.path(".tdg/store.db")).unwrap();
    // Move everything into the database.
    let truncate = "PRAGMA wal_checkpoint(TRUNCATE)";
    store.query_row(truncate, [], |_| Ok(())).unwrap();
    drop(store);
    remove_log(&shop);
    let whole = fs::read(shop.path(".tdg/store.db")).unwrap();
    shop.write(".tdg/store.db", "damaged");
    assert_eq!(run(&shop).stderr, "");
    fs::write(shop.path(".tdg/store.db"), whole).unwrap();
    assert_eq!(history(&shop, &total).len(), 2);
}

#[test]
fn a_store_that_can_not_be_made_is_noticed_once() {
    let shop = recorded();
    shop.remove(".tdg");
    shop.write(".tdg", "a file where the directory should be");
    insta::assert_snapshot!(notice(&shop, &run(&shop)), @"tdg: no history is kept: the store <shop>/.tdg/store.db can't be written (File exists (os error 17)): make <shop>/.tdg writable, or set TDG_DIR to a writable directory");
    assert_eq!(shop.read(".tdg"), "a file where the directory should be");
}

/// Not even root can write to this place.
#[cfg(target_os = "linux")]
#[test]
fn a_store_in_a_read_only_place_is_noticed_once() {
    let shop = recorded();
    let run = shop
        .test("pricing", &["invoice", "total"])
        .env("TDG_DIR", "/proc/tdg");
    insta::assert_snapshot!(run.passes().stderr, @"tdg: no history is kept: the store /proc/tdg/store.db can't be written (No such file or directory (os error 2)): make /proc/tdg writable, or set TDG_DIR to a writable directory");
}

#[cfg(unix)]
#[test]
fn a_store_without_the_right_to_write_fails_no_test() {
    use std::os::unix::fs::PermissionsExt as _;

    let shop = recorded();
    let allow = |mode: u32| {
        for path in [".tdg/store.db", ".tdg"] {
            let mode = if path == ".tdg" { mode } else { mode & 0o666 };
            fs::set_permissions(shop.path(path), fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    allow(0o555);
    // Root may still be able to write, and then nothing is reported.
    let lines = run(&shop).stderr.lines().count();
    allow(0o755);
    assert!(lines <= 1);
    assert_eq!(integrity(&shop), "ok");
}

#[test]
fn a_broken_test_still_fails_on_a_corrupt_store() {
    let shop = recorded();
    shop.damage_store();
    let run = shop.pricing("total").env("FACTOR", "1.03").fails();
    assert!(run.stderr.contains("tdg: changed total, "), "{run}");
    assert!(shop.has("tests/snapshots/pricing__total.snap.new"));
}

#[test]
fn a_benchmark_in_the_store_alone_can_not_be_judged_without_it() {
    let shop = Program::shop().checkout();
    shop.write("tdg.toml", "snapshots = false\n");
    shop.damage_store();
    let run = shop.pricing("total").fails();
    let report = run
        .report()
        .replace(&shop.folder().display().to_string(), "<shop>");
    insta::assert_snapshot!(report, @"
    total: invalid: this run can't be compared

      the store <shop>/.tdg/store.db is damaged (file is not a database) and was left as it is: restore it, or
      delete the directory <shop>/.tdg (this loses the history, and benchmarks only if tdg.toml has `snapshots =
      false`)
    ");
}

#[test]
fn a_store_that_is_deleted_while_a_test_runs_fails_nothing() {
    let shop = recorded();
    let tests = ["deletes_the_store", "invoice", "total", "--test-threads=1"];
    let deleting = || {
        shop.test("pricing", &tests)
            .env("DELETE_STORE", shop.path(".tdg"))
    };
    deleting().passes();
    deleting().passes();
    run(&shop);
    assert_eq!(integrity(&shop), "ok");
    let total = test_of("shop", "tests/pricing.rs", "total");
    assert!(!history(&shop, &total).is_empty());
}
