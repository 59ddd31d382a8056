//! Runs the real cargo-insta on the files that real ensemble tests leave behind.

use tdg_tests::{Checkout, Program, tools};

use crate::first_run::small_crate;

const SNAPSHOT: &str = "tests/snapshots/pricing__total.snap";

/// Returns a checkout whose only benchmark has a pending change.
fn pending() -> Checkout<'static> {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    shop.pricing("total").env("FACTOR", "1.03").fails();
    shop
}

#[test]
fn a_pending_change_is_listed_and_accepted() {
    let shop = pending();
    let listed = tools::insta(&shop, &["pending-snapshots"]).passes();
    assert!(listed.stdout.contains("pricing__total.snap"), "{listed}");
    tools::insta(&shop, &["accept"]).passes();
    assert!(!shop.has("tests/snapshots/pricing__total.snap.new"));
    assert_eq!(
        shop.pricing("total").env("FACTOR", "1.03").passes().stderr,
        ""
    );
    shop.pricing("total").fails();
}

#[test]
fn a_pending_change_is_rejected() {
    let shop = pending();
    let recorded = shop.read(SNAPSHOT);
    tools::insta(&shop, &["reject"]).passes();
    assert!(!shop.has("tests/snapshots/pricing__total.snap.new"));
    assert_eq!(shop.read(SNAPSHOT), recorded);
    assert_eq!(shop.pricing("total").passes().stderr, "");
}

#[test]
fn a_change_that_waits_in_the_pending_directory_is_accepted() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    let elsewhere = shop.path("waiting");
    let changed = shop.pricing("total").env("FACTOR", "1.03");
    changed.env("INSTA_PENDING_DIR", &elsewhere).fails();
    assert!(shop.has("waiting/tests/snapshots/pricing__total.snap.new"));
    assert!(!shop.has("tests/snapshots/pricing__total.snap.new"));
    tools::insta(&shop, &["accept"])
        .env("INSTA_PENDING_DIR", &elsewhere)
        .passes();
    assert_eq!(
        shop.pricing("total").env("FACTOR", "1.03").passes().stderr,
        ""
    );
}

#[test]
fn cargo_insta_test_accepts_and_leaves_our_files_alone() {
    let shop = small_crate("under-cargo-insta");
    let snapshot = "src/snapshots/lib__tests__total.snap";

    // Under `cargo insta test`, a first benchmark is pending, and the test passes.
    let run = tools::insta(&shop, &["test"]).finish();
    assert!(
        shop.has("src/snapshots/lib__tests__total.snap.new"),
        "{run}"
    );
    assert!(!shop.has(snapshot));
    tools::insta(&shop, &["test", "--accept"]).passes();
    assert!(shop.has(snapshot));
    assert_eq!(shop.cargo(&["test"]).passes().said(), "");

    // A check fails on a change and writes nothing.
    let recorded = shop.read(snapshot);
    shop.edit("src/lib.rs", "price * 0.5", "price * 0.25");
    tools::insta(&shop, &["test", "--check"]).fails();
    assert!(!shop.has("src/snapshots/lib__tests__total.snap.new"));
    tools::insta(&shop, &["test", "--accept"]).passes();
    assert_ne!(shop.read(snapshot), recorded);
    assert_eq!(shop.cargo(&["test"]).passes().said(), "");

    // A file that no test of this run claims may belong to another target.
    let unclaimed = "src/snapshots/lib__tests__of_another_target.snap";
    shop.write(unclaimed, &recorded);
    tools::insta(&shop, &["test", "--unreferenced=reject"]).passes();
    tools::insta(&shop, &["test", "--unreferenced=delete"]).passes();
    assert_eq!(shop.read(unclaimed), recorded);
    assert!(shop.has(snapshot));
}
