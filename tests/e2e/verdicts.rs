//! What each verdict is given for, and what it says and leaves behind.

use tdg_tests::Program;

const SNAPSHOT: &str = "tests/snapshots/pricing__total.snap";

#[test]
fn a_first_run_records_and_says_so_in_one_line() {
    let shop = Program::shop().checkout();
    let run = shop.pricing("total").passes();
    insta::assert_snapshot!(run.said(), @"");
    assert!(shop.has(SNAPSHOT));
    assert!(!shop.has("tests/snapshots/pricing__total.snap.new"));
}

#[test]
fn a_run_that_is_the_same_says_nothing() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    let recorded = shop.read(SNAPSHOT);
    let run = shop.pricing("total").passes();
    assert_eq!(run.stderr, "");
    assert_eq!(shop.read(SNAPSHOT), recorded);
}
