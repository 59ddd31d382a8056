//! Decisions about a part of a change.

use tdg_tests::{Checkout, Program};

use super::{ended, tdg};

/// A shop with a new field in all outputs, and a regression in another.
fn shop() -> Checkout<'static> {
    let shop = Program::shop().checkout();
    shop.inputs("priced").passes();
    changed(&shop).fails();
    shop
}

/// Looks at the pending change, as a decision about a part asks for.
fn show(shop: &Checkout<'_>) -> String {
    let shown = tdg(shop, &["show", "priced", "--changed"]).passes();
    shown.stdout
}

fn changed(shop: &Checkout<'_>) -> tdg_tests::Run {
    let run = shop.inputs("priced");
    run.env("TAX", "1").env("BREAK", "1")
}

#[test]
fn a_field_is_accepted_alone() {
    let shop = shop();
    let unseen = tdg(&shop, &["accept", "priced", "--fields", "/tax"]).fails();
    insta::assert_snapshot!(ended(&shop, &unseen), @"
    error: this change was not shown yet, or has changed since; look at it by `cargo tdg show priced --changed`, then accept a part of it
    (2)
    ");
    show(&shop);
    let accepted = tdg(&shop, &["accept", "priced", "--fields", "/tax"]).passes();
    insta::assert_snapshot!(ended(&shop, &accepted), @"
    accepted priced, /tax of 200 cases, tests/snapshots/inputs__priced.snap
    (0)
    ");
    // The regression is still one.
    let said = changed(&shop).fails().said().to_owned();
    insta::assert_snapshot!(said, @"tdg: changed priced, 45 of 200 cases, pending in tests/snapshots/inputs__priced.snap.new");
    shop.inputs("priced").env("TAX", "1").passes();
}

#[test]
fn the_parts_of_a_change_have_numbers() {
    let shop = shop();
    let unseen = tdg(&shop, &["accept", "priced", "--rule", "1"]).fails();
    insta::assert_snapshot!(ended(&shop, &unseen), @"
    error: this change was not shown yet, or has changed since; look at it by `cargo tdg show priced --changed`, then accept a part of it
    (2)
    ");
    let shown = tdg(&shop, &["show", "priced", "--changed"]).passes().stdout;
    let parts = shown.split_once("Parts,").map(|(_, parts)| parts);
    insta::assert_snapshot!(parts.unwrap(), @"
    each of which `cargo tdg accept priced --rule NUMBER` accepts by itself:
     1  /tax, added in 200 cases
     2  /price, changed in 45 cases
    ");
    let accepted = tdg(&shop, &["accept", "priced", "--rule", "1"]).passes();
    insta::assert_snapshot!(ended(&shop, &accepted), @"
    accepted priced, /tax of 200 cases, tests/snapshots/inputs__priced.snap
    (0)
    ");
    // The numbers are those of what is left, which has not been shown.
    tdg(&shop, &["accept", "priced", "--rule", "1"]).fails();
    tdg(&shop, &["show", "priced", "--changed"]).passes();
    let none = tdg(&shop, &["accept", "priced", "--rule", "1"]).fails();
    insta::assert_snapshot!(ended(&shop, &none), @"
    error: this change has no parts; accept it as a whole
    (2)
    ");
    shop.inputs("priced").env("TAX", "1").passes();
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
        99  5  9  /total      45.0      43.65  −1.35  −3.0 %
       170  5  9  /total      45.0      43.65  −1.35  −3.0 %
      … and 33 more cases
      largest error 2.43 (3.0 %), median 1.35
      errors −2.43 [▂ ▇  ▄  ▇ ▇▆ ▃▃ ▃▄█ ▂▆ ▃] −0.24
      expected mean 41.44, sd 19.56; actual mean 40.2, sd 18.97

      see all:  cargo tdg show priced --changed
      run one:  TDG_CASES=189 cargo test priced
      accept:   cargo tdg review    (or cargo insta review)
    ");
    let shown = show(&place_first);
    insta::assert_snapshot!(shown.split_once("Parts,").unwrap().1, @"
    each of which `cargo tdg accept priced --rule NUMBER` accepts by itself:
     1  /price, now at /total in 200 cases
     2  /total, changed in 45 cases
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
    show(&shop);
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
    show(&shop);
    let some = [
        "accept", "priced", "--fields", "/tax", "/price", "--cases", "0..100",
    ];
    let accepted = tdg(&shop, &some).passes();
    insta::assert_snapshot!(ended(&shop, &accepted), @"
    accepted priced, /tax, /price of 100 of 200 cases, tests/snapshots/inputs__priced.snap
    (0)
    ");
    let said = changed(&shop).fails().said().to_owned();
    insta::assert_snapshot!(said, @"tdg: changed priced, 100 of 200 cases, pending in tests/snapshots/inputs__priced.snap.new");
}
