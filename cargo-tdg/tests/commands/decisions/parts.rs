//! Decisions about parts of a change.

use tdg_tests::{Checkout, Program};

use crate::{ended, tdg};

/// Returns a shop with a new field in all outputs and a regression in another field.
fn shop() -> Checkout<'static> {
    let shop = Program::shop().checkout();
    shop.inputs("priced").passes();
    changed(&shop).fails();
    shop
}

fn show(shop: &Checkout<'_>) -> String {
    let shown = tdg(shop, &["show", "priced", "--changed"]).passes();
    shown.stdout
}

fn changed(shop: &Checkout<'_>) -> tdg_tests::Run {
    let run = shop.inputs("priced");
    run.env("TAX", "1").env("BREAK", "1")
}

#[test]
fn fields_are_accepted_right_after_the_test_that_showed_them() {
    for store_alone in [false, true] {
        let shop = Program::shop().checkout();
        if store_alone {
            shop.write("tdg.toml", "snapshots = false\n");
        }
        shop.inputs("priced").passes();
        changed(&shop).fails();
        let tax = tdg(&shop, &["accept", "priced", "--fields", "/tax"]).finish();
        // The rest is a part of the change that was shown.
        let price = tdg(&shop, &["accept", "priced", "--fields", "/price"]).finish();
        let said = format!("{}\n{}", ended(&shop, &tax), ended(&shop, &price));
        let place = "tests/snapshots/inputs__priced.snap";
        insta::allow_duplicates! {
            insta::assert_snapshot!(said.replace("in the store", place), @"
            accepted priced, /tax in 200 of 200 cases, tests/snapshots/inputs__priced.snap; 45 cases stay pending
            (0)
            accepted priced, /price in 45 of 200 cases, largest error 2.43, tests/snapshots/inputs__priced.snap
            (0)
            ");
        }
        changed(&shop).passes();
    }
}

#[test]
fn a_regression_next_to_an_accepted_field_is_still_one() {
    let shop = shop();
    tdg(&shop, &["accept", "priced", "--fields", "/tax"]).passes();
    let said = changed(&shop).fails().said().to_owned();
    insta::assert_snapshot!(said, @"tdg: changed priced, 45 of 200 cases, pending in tests/snapshots/inputs__priced.snap.new");
    // This run has shown the rest, but without numbers.
    tdg(&shop, &["accept", "priced", "--rule", "1"]).fails();
    tdg(&shop, &["accept", "*"]).fails();
    shop.inputs("priced").env("TAX", "1").passes();
}

#[test]
fn the_parts_of_a_change_have_numbers() {
    let shop = shop();
    let unseen = tdg(&shop, &["accept", "priced", "--rule", "1"]).fails();
    insta::assert_snapshot!(ended(&shop, &unseen), @"
    error: the numbers of the parts were not listed yet; run `cargo tdg show priced --changed`, then accept a part of it
    (2)
    ");
    let shown = show(&shop);
    let parts = shown.split_once("Parts,").map(|(_, parts)| parts);
    insta::assert_snapshot!(parts.unwrap(), @"
    accepted one at a time with `cargo tdg accept priced --rule NUMBER`:
     1  /tax, added in 200 cases
     2  /price, 45 cases: b > 7; actual = 0.97 × expected
    ");
    let accepted = tdg(&shop, &["accept", "priced", "--rule", "1"]).passes();
    insta::assert_snapshot!(ended(&shop, &accepted), @"
    accepted priced, /tax in 200 of 200 cases, tests/snapshots/inputs__priced.snap; 45 cases stay pending
    (0)
    ");
    // The numbers refer to the rest, which has not been listed.
    tdg(&shop, &["accept", "priced", "--rule", "1"]).fails();
    show(&shop);
    let none = tdg(&shop, &["accept", "priced", "--rule", "1"]).fails();
    insta::assert_snapshot!(ended(&shop, &none), @"
    error: this change has no parts; accept it as a whole
    (2)
    ");
    shop.inputs("priced").env("TAX", "1").passes();
}

#[test]
fn a_part_of_a_change_that_only_a_newer_run_has_is_refused_with_the_difference() {
    let shop = Program::shop().checkout();
    shop.inputs("priced").passes();
    shop.inputs("priced").env("TAX", "1").fails();
    show(&shop);
    // The test passes with cargo-insta, so no report is printed.
    let newer = changed(&shop)
        .env("INSTA_CARGO_INSTA", "1")
        .env("INSTA_FORCE_PASS", "1");
    newer.passes();
    let refused = tdg(&shop, &["accept", "priced", "--cases", "0..200"]).fails();
    insta::assert_snapshot!(ended(&shop, &refused), @"
    error: since it was shown, a run has left different outputs in 45 of 200 cases: 0, 2, 4, 5, 11, 12, 15, 18, …; run `cargo tdg show priced --changed`, then accept a part of it
    (2)
    ");
    let listed = tdg(&shop, &["accept", "*"]).fails();
    insta::assert_snapshot!(ended(&shop, &listed), @"
    1 change stays pending, because no command has shown it yet:
      cargo tdg show shop::priced --changed
        since it was shown, a run has left different outputs in 45 of 200 cases: 0, 2, 4, 5, 11, 12, 15, 18, …
    (1)
    ");
}

#[test]
fn a_renamed_field_and_its_values_are_accepted_one_by_one() {
    let renamed = |shop: &Checkout<'_>| shop.inputs("priced").env("TOTAL", "1").env("BREAK", "1");
    let shop = || {
        let shop = Program::shop().checkout();
        shop.inputs("priced").passes();
        let report = renamed(&shop).fails().report();
        (shop, report)
    };
    let (place_first, report) = shop();
    insta::assert_snapshot!(report, @"
    priced: 200 of 200 cases changed

      /price renamed to /total in all 200
      /total: all 45 have b > 7   (45 of 45 such cases changed, 0 of the other 155)
      /total: actual = 0.97 × expected in all 45

      case  a  b  field   expected     actual  error
       189  9  9  /total      81.0      78.57  −2.43  −3.0 %
        19  6  9  /total      54.0  52.380000  −1.62  −3.0 %
       100  6  9  /total      54.0  52.380000  −1.62  −3.0 %
       150  6  9  /total      54.0  52.380000  −1.62  −3.0 %
        12  3  9  /total      27.0  26.190000  −0.81  −3.0 %
        58  3  9  /total      27.0  26.190000  −0.81  −3.0 %
        64  3  9  /total      27.0  26.190000  −0.81  −3.0 %
         0  5  8  /total      40.0       38.8   −1.2  −3.0 %
        68  5  8  /total      40.0       38.8   −1.2  −3.0 %
         5  5  9  /total      45.0      43.65  −1.35  −3.0 %
      … and 35 more cases
      largest error 2.43 (3.0 %), median 1.35
      errors −2.43 [▂ ▇  ▄  ▇ ▇▆ ▃▃ ▃▄█ ▂▆ ▃] −0.24
      expected mean 41.44, sd 19.56; actual mean 40.2, sd 18.97

      part 1: /price, now at /total in 200 cases
      part 2: /total, 45 cases: b > 7; actual = 0.97 × expected

      see all:  cargo tdg show priced --changed
      cause:    cargo tdg why
      run one:  TDG_CASES=189 cargo test priced
      accept:   cargo tdg review    (or cargo insta review)
      a part:   cargo tdg accept priced --rule 1
    ");
    let shown = show(&place_first);
    insta::assert_snapshot!(shown.split_once("Parts,").unwrap().1, @"
    accepted one at a time with `cargo tdg accept priced --rule NUMBER`:
     1  /price, now at /total in 200 cases
     2  /total, 45 cases: b > 7; actual = 0.97 × expected
    ");
    tdg(&place_first, &["accept", "priced", "--rule", "1"]).passes();
    place_first.inputs("priced").env("TOTAL", "1").passes();
    let said = renamed(&place_first).fails().said().to_owned();
    insta::assert_snapshot!(said, @"tdg: changed priced, 45 of 200 cases, pending in tests/snapshots/inputs__priced.snap.new");
    let (values_first, _) = shop();
    show(&values_first);
    tdg(&values_first, &["accept", "priced", "--rule", "2"]).passes();
    values_first.inputs("priced").env("BREAK", "1").passes();
}

#[test]
fn a_part_that_has_not_changed_is_not_accepted() {
    let shop = shop();
    let nothing = tdg(&shop, &["accept", "priced", "--fields", "/taxes"]).fails();
    insta::assert_snapshot!(ended(&shop, &nothing), @"
    error: that part of priced has not changed; `cargo tdg show priced --changed` shows what has
    (2)
    ");
    let unreadable = tdg(&shop, &["accept", "priced", "--fields", "tax"]).fails();
    insta::assert_snapshot!(ended(&shop, &unreadable), @r#"
    error: invalid value 'tax' for '--fields <POINTER>...': "tax" is not a JSON Pointer: a pointer starts with /; write "/tax"

    For more information, try '--help'.
    (2)
    "#);
}

#[test]
fn a_field_of_some_cases_is_accepted_alone() {
    let shop = shop();
    let some = [
        "accept", "priced", "--fields", "/tax", "/price", "--cases", "0..100",
    ];
    let accepted = tdg(&shop, &some).passes();
    insta::assert_snapshot!(ended(&shop, &accepted), @"
    accepted priced, /tax, /price in 100 of 200 cases, largest error 2.16, tests/snapshots/inputs__priced.snap; 100 cases stay pending
    (0)
    ");
    let said = changed(&shop).fails().said().to_owned();
    insta::assert_snapshot!(said, @"tdg: changed priced, 100 of 200 cases, pending in tests/snapshots/inputs__priced.snap.new");
}
