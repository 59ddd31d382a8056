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
