//! `cargo tdg pending`.

use tdg_tests::Program;

use crate::{TOTAL, TOTAL_NEW, changed_shop, changed_shop_without_files, ended, tdg};

#[test]
fn nothing_is_pending_in_a_fresh_checkout() {
    let shop = Program::shop().checkout();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["pending"]).finish()), @"
    No changes are pending.
    (0)
    ");
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["pending", "--json"]).finish()), @"(0)");
}

#[test]
fn changes_new_benchmarks_and_other_inputs_are_listed() {
    let shop = changed_shop();
    shop.pricing("invoice").env("TDG_UPDATE", "new").fails();
    shop.pricing("by_the_environment").passes();
    shop.pricing("by_the_environment").env("SIZE", "12").fails();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["pending"]).finish()), @"
    by_the_environment  inputs changed: size     tests/snapshots/pricing__by_the_environment.snap
    invoice             new, 20 cases            tests/snapshots/pricing__invoice.snap
    total               13 of 200 cases changed  tests/snapshots/pricing__total.snap

    decide: cargo tdg review, or accept NAME, reject NAME
    (1)
    ");
}

#[test]
fn scripts_get_a_line_of_json_for_each_change() {
    let shop = changed_shop();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["pending", "--json"]).finish()), @r#"
    {"cases":200,"cause":"all changed cases have coupon = \"HALF\", actual = 1.03 × expected","changed":13,"compared":200,"package":"shop","snapshot":"tests/snapshots/pricing__total.snap","source":"tests/pricing.rs","test":"total","what":"13 of 200 cases changed"}
    (1)
    "#);
}

#[test]
fn tests_that_changed_by_one_cause_are_listed_by_the_first() {
    let shop = changed_shop();
    shop.pricing("before::sum").passes();
    shop.pricing("before::sum").env("FACTOR", "1.03").fails();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["pending"]).finish()), @r#"
    before::sum  13 of 200 cases changed  tests/snapshots/pricing__before__sum.snap

    2 tests: all changed cases have coupon = "HALF", actual = 1.03 × expected
      before::sum, total

    decide: cargo tdg review, or accept NAME, reject NAME
    (1)
    "#);
}

#[test]
fn changes_in_the_store_alone_are_listed_too() {
    let shop = changed_shop_without_files();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["pending"]).finish()), @"
    total  13 of 200 cases changed  in the store

    decide: cargo tdg review, or accept NAME, reject NAME
    (1)
    ");
}

#[test]
fn changes_in_the_pending_directory_of_insta_are_listed() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    let elsewhere = shop.path(".waiting");
    let changed = shop.pricing("total").env("FACTOR", "1.03");
    changed.env("INSTA_PENDING_DIR", &elsewhere).fails();
    assert_eq!(tdg(&shop, &["pending"]).finish().code, Some(0));
    let pending = tdg(&shop, &["pending"]).env("INSTA_PENDING_DIR", &elsewhere);
    assert_eq!(pending.finish().code, Some(1));
}

#[test]
fn a_damaged_change_is_reported_left_alone_and_hides_no_other() {
    let shop = changed_shop();
    shop.pricing("invoice").passes();
    shop.pricing("invoice").env("FACTOR", "2").fails();
    let damaged = shop.read(TOTAL_NEW).replace("\n[[", "\n<<<<<<< ours\n[[");
    shop.write(TOTAL_NEW, &damaged);
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["pending"]).finish()), @"
    invoice  20 of 20 cases changed  tests/snapshots/pricing__invoice.snap

    decide: cargo tdg review, or accept NAME, reject NAME
    error: <shop>/tests/snapshots/pricing__total.snap.new, line 6: conflict marker of an unfinished merge; run `cargo tdg resolve`, or take one side whole (git checkout --ours or --theirs) and run the test
    (2)
    ");
    assert_eq!(shop.read(TOTAL_NEW), damaged);
    assert!(shop.has(TOTAL));
}

#[test]
fn outside_of_a_package_cargo_says_what_is_missing() {
    let folder = tdg_tests::Project::without_lock(&[("empty.txt", "")]);
    let run = tdg(&folder, &["pending"]).finish();
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("could not find `Cargo.toml`"), "{run}");
}
