//! Tests that compare a function's outputs with another function's, without a benchmark.

#![allow(clippy::unwrap_used)] // Covers helpers, whose failure fails the test.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use tdg::{EnsembleTest, Panics, Tolerance, ensemble_test};

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

/// Returns the report of a failing run.
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
fn the_policy_comes_from_the_test() {
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
fn two_samplers_are_compared_by_their_distributions() {
    let samplers = |shift: f64| {
        let draws = orders("samplers").size(100).distribution("", 1e-6);
        draws.run_against(
            move |order: Order| order.amount + shift,
            |order: Order| 101.0 - order.amount,
        );
    };
    samplers(0.0);
    let report = report(|| samplers(60.0));
    let first = report.lines().next();
    assert_eq!(
        first,
        Some("samplers: the distribution of the output differs from the other function")
    );
}

#[test]
fn outputs_have_to_be_what_the_test_requires_although_they_are_equal() {
    let totals = |shares: std::ops::RangeFrom<f64>| {
        orders("required")
            .require("> 1000", shares)
            .run_against(|order: Order| total(&order), |order: Order| total(&order));
    };
    totals(0.1..);
    insta::assert_snapshot!(report(|| totals(0.9..)), @"
    required: 1 of 6 cases (16.7 %) has an output > 1000; at least 90 % should

      fix:  let the definition draw more such rows, or lower at_least
            this run recorded nothing
    ");
}

#[test]
fn results_are_compared_as_json_despite_different_types() {
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
    left over: invalid: this run can't be compared

      tdg/tests/snapshots/against__left_over.snap is a benchmark, but the expected outputs come from the other function

      delete it: git rm tdg/tests/snapshots/against__left_over.snap; or leave out `against` to compare with it
    ");
}

mod old {
    pub(super) fn total(amount: f64, quantity: i64) -> f64 {
        amount * quantity as f64
    }

    /// The old function, whose parameters and error have other types.
    pub(super) fn price(amount: Option<f64>, quantity: u8) -> Result<f64, String> {
        match (amount, quantity) {
            (_, 10..) => Err("too many".to_owned()),
            (amount, _) => Ok(amount.unwrap_or_default()),
        }
    }

    #[derive(serde::Deserialize)]
    pub(super) struct Order {
        quantity: u64,
    }

    pub(super) fn quantity(order: Order) -> u64 {
        order.quantity
    }

    pub(super) fn quantities(orders: &[Order]) -> Vec<u64> {
        orders.iter().map(|order| order.quantity).collect()
    }

    pub(super) fn refuse(_: f64) -> Result<f64, &'static str> {
        Err("no database")
    }

    pub(super) fn nothing(_: f64) {}
}

mod attribute {
    use super::*;

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 9, against = old::total)]
    fn features(amount: f64, quantity: u32) -> f64 {
        amount * f64::from(quantity)
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 9, against = old::total, threads = 3)]
    fn in_threads(amount: f64, quantity: u32) -> f64 {
        amount * f64::from(quantity)
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 9, against = old::price)]
    fn results(amount: f64, quantity: i64) -> Result<f64, &'static str> {
        if quantity < 10 {
            Ok(amount)
        } else {
            Err("too many")
        }
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 9, against = old::quantity)]
    fn whole_rows(order: Order) -> u32 {
        order.quantity
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 9, against = old::quantities, batch)]
    fn batches(orders: &[Order]) -> Vec<u32> {
        orders.iter().map(|order| order.quantity).collect()
    }

    #[ensemble_test(
        definition = "tests/definitions/orders.json",
        size = 9,
        against = f64::max,
        tolerance(abs = 100.0)
    )]
    fn methods(amount: f64, #[feature("amount")] _again: f64) -> f64 {
        amount + 1.0
    }

    #[cfg(feature = "tokio")]
    mod of_async_functions {
        use super::*;

        async fn total(amount: f64, quantity: i64) -> f64 {
            tokio::task::yield_now().await;
            old::total(amount, quantity)
        }

        #[ensemble_test(definition = "tests/definitions/orders.json", size = 2, against(async total))]
        fn other(amount: f64, quantity: i64) -> f64 {
            old::total(amount, quantity)
        }

        #[ensemble_test(definition = "tests/definitions/orders.json", size = 2, against = old::total)]
        async fn own(amount: f64, quantity: i64) -> f64 {
            total(amount, quantity).await
        }

        #[ensemble_test(definition = "tests/definitions/orders.json", size = 2, against(async total))]
        async fn both(amount: f64, quantity: i64) -> f64 {
            total(amount, quantity).await
        }
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 2, against = old::refuse)]
    #[ignore = "it is invalid"]
    fn refused(#[feature("amount")] _: f64) -> Result<f64, String> {
        Err("no database".to_owned())
    }

    type Nothing = ();

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 2, against = old::nothing)]
    #[ignore = "it is invalid"]
    fn nothing(#[feature("amount")] _: f64) -> Nothing {}

    #[test]
    fn nothing_to_compare_is_invalid() {
        insta::assert_snapshot!(report(nothing), @"
        attribute::nothing: invalid: this run can't be compared

          neither the function nor old::nothing returns anything, so nothing can be compared

          return what should be equal, or leave out `against`
        ");
        insta::assert_snapshot!(report(refused), @r#"
        attribute::refused: invalid: this run can't be compared

          all 2 cases returned an Err from both functions, the first: {"Err":"no database"}

          two broken setups are equal as well; make at least one row succeed
        "#);
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 6, against = old::total)]
    #[ignore = "it differs"]
    fn differing(amount: f64, quantity: u32) -> f64 {
        amount * f64::from(quantity.min(10))
    }

    #[test]
    fn the_other_function_is_named_by_its_path() {
        insta::assert_snapshot!(report(differing), @"
        attribute::differing: 2 of 6 cases differ from old::total

          case     amount  quantity   expected     actual   error
             4  93.211331        18  1677.8040  932.11331  −745.7  −44.4 %
             0  70.927046        14  992.97864  709.27046  −283.7  −28.6 %
          largest error 745.7 (44.4 %), median 514.7

          run one:   TDG_CASES=4 cargo test -p tdg attribute::differing
          expected:  the output of old::total; nothing to accept without a benchmark
        ");
    }
}

/// Returns the next larger `f32`.
fn next(float: f32) -> f32 {
    f32::from_bits(float.to_bits() + 1)
}

#[derive(Debug, Serialize)]
struct Mixed {
    single: f32,
    double: f64,
    few: Vec<Option<f32>>,
    named: BTreeMap<String, (f32, f64)>,
}

fn mixed(order: &Order, of_single: fn(f32) -> f32, of_double: fn(f64) -> f64) -> Mixed {
    let (double, single) = (order.amount.sqrt(), of_single(order.amount.sqrt() as f32));
    Mixed {
        single,
        double,
        few: vec![None, Some(single)],
        named: [("a".to_owned(), (single, of_double(double)))].into(),
    }
}

fn within(name: &str, ulp: u64) -> EnsembleTest {
    orders(name).tolerance(Tolerance::ulp(ulp))
}

#[test]
fn ulps_are_those_of_the_outputs_type() {
    within("single", 1).run_against(
        |order: Order| next(order.amount as f32),
        |order: Order| order.amount as f32,
    );
    within("mixed", 1).run_against(
        |order: Order| mixed(&order, next, f64::next_up),
        |order: Order| mixed(&order, |it| it, |it| it),
    );
    let report = report(|| {
        within("double in mixed", 1).run_against(
            |order: Order| mixed(&order, |it| it, |it| f64::from(next(it as f32))),
            |order: Order| mixed(&order, |it| it, |it| f64::from(it as f32)),
        );
    });
    assert!(report.contains("/named/a/1"), "{report}");
}

#[test]
fn f32s_that_differ_by_more_than_the_ulps_are_changes() {
    let report = report(|| {
        within("far single", 1).run_against(
            |order: Order| next(next(order.amount as f32)),
            |order: Order| order.amount as f32,
        );
    });
    insta::assert_snapshot!(report, @"
    far single: 6 of 6 cases differ from the other function

      All differences are at most 2 ULP. If the benchmark was recorded on another platform, its math library may be the
      reason; this in the attribute allows them:
          tolerance(rel = 1e-6)

      case     amount  quantity   expected     actual    error
         3  34.267046         6  34.267048  34.267056    +8e-6  2 ULP
         4  93.211331        18  93.211334   93.21135  +1.6e-5  2 ULP
         2  92.965151         7   92.96515  92.965164  +1.4e-5  2 ULP
         1  13.524187         8  13.524187  13.524189    +2e-6  2 ULP
         0  70.927046        14   70.92705   70.92706    +1e-5  2 ULP
         5  30.263681         2  30.263681  30.263685    +4e-6  2 ULP
      largest error 1.6e-5 (0.000017 %), median 9e-6

      run one:   TDG_CASES=3 cargo test f32s_that_differ_by_more_than_the_ulps_are_changes
      expected:  the output of the other function; nothing to accept without a benchmark
    ");
}

fn mixed_before(amount: f64) -> Mixed {
    mixed(
        &Order {
            amount,
            quantity: 0,
        },
        |it| it,
        |it| it,
    )
}

#[ensemble_test(
    definition = "tests/definitions/orders.json",
    size = 6,
    tolerance(ulp = 1),
    output = "debug",
    against = mixed_before
)]
fn ulps_are_those_of_the_outputs_type_by_debug(amount: f64) -> Mixed {
    mixed(
        &Order {
            amount,
            quantity: 0,
        },
        next,
        |it| it,
    )
}
