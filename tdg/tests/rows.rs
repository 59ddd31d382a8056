//! Rows of files. Every function compiles without a warning, and passes.

#![warn(clippy::pedantic)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Deserialize;
use tdg::{Define, EnsembleTest, StoreKind, ensemble_test};

#[derive(Define, Deserialize)]
struct Order {
    #[define(any)]
    amount: f64,
    #[define(any)]
    quantity: u32,
    #[define(any)]
    coupon: Option<String>,
}

impl Order {
    fn total(&self) -> f64 {
        total_of(self.amount, self.quantity, self.coupon.as_deref())
    }
}

fn total_of(amount: f64, quantity: u32, coupon: Option<&str>) -> f64 {
    let gross = amount * f64::from(quantity);
    match coupon {
        Some("HALF") => gross / 2.0,
        _ => gross,
    }
}

#[ensemble_test(rows = "tests/rows/orders.csv")]
fn typed_by_parameters(amount: f64, quantity: u32, coupon: Option<&str>) -> f64 {
    total_of(amount, quantity, coupon)
}

#[ensemble_test(rows = "tests/rows/orders.csv", definition = Order)]
fn typed_by_a_struct(order: Order) -> f64 {
    order.total()
}

#[ensemble_test(rows = "tests/rows/orders.jsonl", definition = Order, batch)]
fn json_lines_in_batch(orders: &[Order]) -> Vec<f64> {
    orders.iter().map(Order::total).collect()
}

#[ensemble_test(rows = "tests/rows/orders.csv", size = 2)]
fn the_first_rows(
    #[define(uniform(0.0..1.0))] amount: f64,
    #[feature("quantity")] pieces: u8,
) -> f64 {
    amount * f64::from(pieces)
}

fn of_file(path: &str) -> EnsembleTest {
    EnsembleTest::new(path)
        .definition(Order::definition())
        .rows(path)
}

fn refused(test: &EnsembleTest) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| {
        test.clone().run(|order: Order| order.total());
    }));
    let message = panic.err().and_then(|it| it.downcast::<String>().ok());
    message.map_or_else(String::new, |message| *message)
}

#[test]
fn mistakes_that_only_a_run_can_find_name_their_fix() {
    let test = of_file("tests/rows/orders.csv");
    let messages = [
        refused(&test.clone().seed(7)),
        refused(&test.clone().inputs(false)),
        refused(&test.clone().store(StoreKind::Remote)),
        refused(&test.size(4)),
        refused(&of_file("tests/rows/order.csv")),
        refused(&of_file("tests/rows.rs")),
    ];
    let root = env!("CARGO_MANIFEST_DIR");
    insta::assert_snapshot!(messages.join("\n---\n").replace(root, "…"), @r#"
    tests/rows/orders.csv: invalid: this run can't be compared

      the rows come from a file, so no seed draws them

      remove the seed; `size` takes the first rows

    ---
    tests/rows/orders.csv: invalid: this run can't be compared

      the rows of a file can't be drawn again, so the snapshot file has to keep them

      remove inputs = false; a test with `rows` needs no inputs setting

    ---
    tests/rows/orders.csv: invalid: this run can't be compared

      a server draws the rows of its benchmarks, and can't use a file's rows

      set store = "local" for this test

    ---
    tests/rows/orders.csv: invalid: this run can't be compared

      tests/rows/orders.csv has 3 rows, but the test takes 4

      use size = 3, or leave it out to take all rows

    ---
    tests/rows/order.csv: invalid: this run can't be compared

      can't find the file tests/rows/order.csv; paths are relative to …

    ---
    tests/rows.rs: invalid: this run can't be compared

      tests/rows.rs: rows are read from `.csv`, `.tsv`, `.json`, `.jsonl` and `.ndjson` files
    "#);
}
