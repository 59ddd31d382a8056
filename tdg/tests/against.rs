//! A function whose outputs are compared with those of another one: there is no benchmark.

#![allow(clippy::unwrap_used)] // In helpers too: what fails there fails the test.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use tdg::{EnsembleTest, Panics, Tolerance};

#[derive(Deserialize)]
struct Order {
    amount: f64,
    quantity: u32,
}

fn orders(name: &str) -> EnsembleTest {
    EnsembleTest::new(name)
        .definition("tests/definitions/orders.json")
        .size(6)
}

fn total(order: &Order) -> f64 {
    order.amount * f64::from(order.quantity)
}

/// What is wrong with a run, if anything is.
fn report(run: impl FnOnce()) -> String {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(()) => "it passes".to_owned(),
        Err(report) => *report.downcast::<String>().unwrap(),
    }
}

#[test]
fn functions_that_give_the_same_pass_and_leave_nothing_behind() {
    #[derive(Deserialize)]
    struct OldOrder {
        quantity: Option<u32>,
        amount: f64,
    }
    orders("same").run_against(
        |order: Order| total(&order),
        |order: OldOrder| order.amount * f64::from(order.quantity.unwrap_or_default()),
    );
    let files = std::fs::read_dir("tests/snapshots").unwrap();
    let names = files.map(|file| file.unwrap().file_name());
    assert!(
        names
            .into_iter()
            .all(|name| !name.to_string_lossy().starts_with("against__same"))
    );
}

#[test]
fn a_difference_is_reported_with_its_rows_and_nothing_to_accept() {
    let report = report(|| {
        orders("differing").run_against(
            |order: Order| total(&order) + f64::from(u8::from(order.quantity > 10)),
            |order: Order| total(&order),
        );
    });
    insta::assert_snapshot!(report);
}

#[test]
fn the_policy_is_that_of_the_test() {
    orders("within").tolerance(Tolerance::abs(1.0)).run_against(
        |order: Order| total(&order) + 0.5,
        |order: Order| total(&order),
    );
    orders("allowed").allow(0.9).run_against(
        |order: Order| if order.quantity > 10 { 1.0 } else { 0.0 },
        |_: Order| 0.0,
    );
}

#[test]
fn results_are_compared_as_json_whatever_their_types() {
    #[derive(Serialize)]
    struct Code(u8);
    orders("results").run_against(
        |order: Order| {
            if order.quantity > 10 {
                Err(Code(1))
            } else {
                Ok(order.quantity)
            }
        },
        |order: Order| {
            if order.quantity > 10 {
                Err(1_u64)
            } else {
                Ok(order.quantity as usize)
            }
        },
    );
}

#[test]
fn a_panic_of_the_other_function_is_an_output() {
    let refuse = |order: &Order| assert!(order.quantity <= 10, "too many");
    let report_of = |panics| {
        report(|| {
            orders("panics").panics(panics).run_against(
                |order: Order| {
                    refuse(&order);
                    total(&order)
                },
                |order: Order| {
                    refuse(&order);
                    total(&order)
                },
            );
        })
    };
    assert_eq!(report_of(Panics::Record), "it passes");
    assert!(report_of(Panics::Fail).contains("panicked"));
    let expected = report(|| {
        orders("expected panic").run_against(
            |order: Order| total(&order),
            |order: Order| {
                refuse(&order);
                total(&order)
            },
        );
    });
    insta::assert_snapshot!(expected);
}

#[test]
fn a_function_that_is_unstable_is_named() {
    let calls = AtomicU64::new(0);
    let unstable = |_: Order| calls.fetch_add(1, Ordering::Relaxed);
    let stable = |_: Order| 0;
    let first = report(|| orders("unstable function").run_against(unstable, stable));
    let second = report(|| orders("stable function").run_against(stable, unstable));
    let headline = |report: &str| report.lines().next().unwrap().to_owned();
    insta::assert_snapshot!(format!("{}\n{}", headline(&first), headline(&second)), @"
    unstable function: unstable: 5 of 5 cases differ between two runs of the same row by the function
    stable function: unstable: 6 of 6 cases differ between two runs of the same row by the other function
    ");
    assert!(!second.contains("recorded"));
}

#[test]
fn a_benchmark_that_is_left_over_is_invalid() {
    let file = std::path::Path::new("tests/snapshots/against__left_over.snap");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, "").unwrap();
    let report = report(|| orders("left over").run_against(|_: Order| 1, |_: Order| 1));
    std::fs::remove_file(file).unwrap();
    insta::assert_snapshot!(report, @"
    left over: invalid: the run could not be judged

      tdg/tests/snapshots/against__left_over.snap is a benchmark, but the expected outputs are those of the other function

      delete it: git rm tdg/tests/snapshots/against__left_over.snap; or leave out `against` to compare with it
    ");
}
