//! Outputs of types that have `Debug` or `Display` and no `Serialize`.

#![allow(clippy::unwrap_used)] // Covers helpers, whose failure fails the test.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tdg::{EnsembleTest, Outcome, Row, ensemble_test};

#[derive(Debug)]
#[allow(dead_code)]
enum Shipping {
    Free,
    Flat { cents: i64 },
    ByWeight(f64),
}

#[derive(Debug)]
#[allow(dead_code)]
struct Invoice {
    lines: Vec<Line>,
    shipping: Shipping,
}

#[derive(Debug)]
#[allow(dead_code)]
struct Line {
    sku: String,
    price: f64,
    rebate: Option<f64>,
}

fn invoice(amount: f64, quantity: i64) -> Invoice {
    let line = |number: i64| Line {
        sku: format!("sku, \"{number}\""),
        price: amount / 3.0,
        rebate: (number > 2).then_some(amount / 7.0),
    };
    let shipping = match quantity {
        0..5 => Shipping::ByWeight(amount / 9.0),
        5..10 => Shipping::Flat { cents: quantity },
        _ => Shipping::Free,
    };
    Invoice {
        lines: (0..quantity % 5).map(line).collect(),
        shipping,
    }
}

/// A type without `Debug`.
struct Refusal(i64);

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "only {}", self.0)
    }
}

#[ensemble_test(
    definition = "tests/definitions/orders.json",
    size = 8,
    output = "debug",
    tolerance("/lines/*/price", rel = 1e-9),
    ignore("/lines/*/sku"),
    require("/shipping/$name == 'Free'", at_least = 0.01)
)]
fn a_struct(amount: f64, quantity: i64) -> Invoice {
    invoice(amount, quantity)
}

#[ensemble_test(
    definition = "tests/definitions/orders.json",
    size = 8,
    output = "debug"
)]
fn a_result(amount: f64, quantity: i64) -> Result<Shipping, Refusal> {
    match quantity > 3 {
        true => Ok(invoice(amount, quantity).shipping),
        false => Err(Refusal(quantity)),
    }
}

#[ensemble_test(
    definition = "tests/definitions/orders.json",
    size = 8,
    output = "debug"
)]
fn an_opaque_type(amount: f64) -> impl fmt::Debug {
    (amount, Some('a'))
}

#[ensemble_test(
    definition = "tests/definitions/orders.json",
    size = 8,
    output = "debug",
    batch
)]
fn a_batch(amounts: Vec<(f64, i64, Option<&str>, f64, bool)>) -> Vec<Shipping> {
    let shipping = |row: &(f64, i64, _, _, _)| invoice(row.0, row.1).shipping;
    amounts.iter().map(shipping).collect()
}

#[ensemble_test(
    definition = "tests/definitions/orders.json",
    size = 8,
    output = "debug",
    against = invoice,
    threads = 2
)]
fn another_function(amount: f64, quantity: i64) -> Invoice {
    invoice(amount, quantity)
}

#[ensemble_test(
    definition = "tests/definitions/orders.json",
    size = 8,
    output = "display"
)]
fn a_text(quantity: i64) -> Refusal {
    Refusal(quantity)
}

#[cfg(feature = "tokio")]
#[ensemble_test(
    definition = "tests/definitions/orders.json",
    size = 8,
    output = "debug"
)]
async fn asynchronous(amount: f64, quantity: i64) -> Result<Invoice, fmt::Error> {
    Ok(invoice(amount, quantity))
}

/// Returns the report of a failing test with these outputs.
fn report(name: &str, output: impl Fn(&Row<'_>) -> Outcome + Sync) -> String {
    let test = EnsembleTest::new(name)
        .definition("tests/definitions/orders.json")
        .size(4);
    let run = || test.run_rows(|row| Ok(output(row)));
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(()) => "it passes".to_owned(),
        Err(report) => *report.downcast::<String>().unwrap(),
    }
}

#[test]
fn the_entries_of_a_hash_map_have_no_order() {
    let map = |row: &Row<'_>| {
        let entries = (0..9).map(|number| (number, row.index()));
        entries.collect::<HashMap<i32, usize>>()
    };
    assert_eq!(
        report("hash map", |row| Outcome::debug(&map(row))),
        "it passes"
    );
    let sorted = |row: &Row<'_>| map(row).into_iter().collect::<BTreeMap<_, _>>();
    assert_eq!(
        report("hash map", |row| Outcome::debug(&sorted(row))),
        "it passes"
    );
}

#[test]
fn a_change_of_the_form_is_reported_once_and_has_to_be_accepted() {
    let debug = |_: &Row<'_>| Outcome::debug(&(1.5, "a"));
    assert_eq!(report("form", debug), "it passes");
    let serialize = report("form", |_| Outcome::of(&(1.5, "a")));
    // The steps after it differ with `CI`.
    let told: Vec<&str> = serialize.lines().take(4).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    form: 4 of 4 cases were recorded by Debug, but the test now gives Serialize

      values of two forms can't be compared; to see whether anything else changed, test once more with output = "debug" in
      the attribute, and then accept
    "#);
    let display = report("form", |_| Outcome::display("(1.5, \"a\")"));
    insta::assert_snapshot!(display.lines().next().unwrap(), @"form: 4 of 4 cases were recorded by Debug, but the test now gives Display");
    assert_eq!(report("form", debug), "it passes");
}
