//! Uses of `#[ensemble_test]`. Every function compiles without a warning, and passes.

#![warn(clippy::pedantic)]
#![allow(clippy::cast_precision_loss)]
#![warn(
    unused,
    unused_qualifications,
    unused_results,
    single_use_lifetimes,
    unused_lifetimes
)]
#![deny(unfulfilled_lint_expectations)]

use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};
use tdg::ensemble_test;

#[derive(Deserialize)]
struct Order<'a> {
    amount: f64,
    quantity: i64,
    #[serde(borrow)]
    coupon: Option<&'a str>,
}

#[derive(Deserialize)]
struct OwnedOrder {
    amount: f64,
    coupon: Option<String>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "UPPERCASE")]
enum Coupon {
    Half,
    Tenth,
}

#[derive(Serialize)]
struct Invoice {
    total: f64,
    discounted: bool,
}

mod parameters {
    use super::*;

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn features_by_name(amount: f64, coupon: Option<&str>, quantity: i64) -> f64 {
        let price = amount * quantity as f64;
        if coupon == Some("HALF") {
            price / 2.0
        } else {
            price
        }
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn one_feature_by_name(amount: f64) -> f64 {
        amount
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn a_feature_that_is_no_identifier(#[feature("unit price")] price: f64, amount: f64) -> f64 {
        price * amount
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn a_feature_named_like_a_keyword(r#type: bool) -> bool {
        !r#type
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn a_mutable_parameter(mut amount: f64) -> f64 {
        amount += 1.0;
        amount
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn an_enum(coupon: Option<Coupon>) -> u8 {
        match coupon {
            None => 0,
            Some(Coupon::Half) => 1,
            Some(Coupon::Tenth) => 2,
        }
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn a_borrowing_struct(order: Order<'_>) -> Option<&str> {
        order
            .coupon
            .filter(|_| order.quantity > 3 && order.amount > 10.0)
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn a_struct_taken_apart(OwnedOrder { amount, coupon }: OwnedOrder) -> (f64, bool) {
        (amount, coupon.is_some())
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn a_tuple(row: (f64, i64, Option<&str>, f64, bool)) -> f64 {
        row.0 + row.3
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn a_tuple_taken_apart(
        (amount, quantity, _, _, _): (f64, i64, Option<String>, f64, bool),
    ) -> (f64, i64) {
        (amount, quantity)
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn the_row_itself(row: &tdg::Row<'_>) -> Option<f64> {
        row.get("amount").ok()
    }

    #[ensemble_test(definition = "tests/definitions/number.json", size = 8)]
    fn the_only_value(x: f64) -> f64 {
        x / 2.0
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn a_lifetime<'a>(coupon: Option<&'a str>, amount: f64) -> Option<&'a str>
    where
        'a: 'a,
    {
        coupon.filter(|_| amount > 10.0)
    }
}

mod outputs {
    use std::fmt;

    use super::*;

    struct Refusal;

    impl fmt::Display for Refusal {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("refused")
        }
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn nothing(amount: f64) {
        assert!(amount >= 0.0);
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    #[expect(clippy::unused_unit)]
    fn an_explicit_unit(amount: f64) -> () {
        assert!(amount >= 0.0);
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn a_struct(amount: f64, coupon: Option<&str>) -> Invoice {
        Invoice {
            total: amount,
            discounted: coupon.is_some(),
        }
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn an_opaque_type(amount: f64) -> impl Serialize {
        [amount, amount / 2.0]
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn a_result_with_a_recordable_error(quantity: i64) -> Result<i64, String> {
        if quantity > 3 {
            Ok(quantity)
        } else {
            Err(format!("only {quantity}"))
        }
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn a_result_with_an_error_that_is_a_text(quantity: i64) -> Result<i64, Refusal> {
        if quantity > 3 {
            Ok(quantity)
        } else {
            Err(Refusal)
        }
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn a_result_with_a_boxed_error(coupon: Option<&str>) -> Result<(), Box<dyn std::error::Error>> {
        coupon.map(|_| ()).ok_or_else(|| "no coupon".into())
    }
}

mod options {
    use super::*;

    const SIZE: usize = 4;

    #[ensemble_test(
        definition = "tests/definitions/orders.json",
        size = SIZE * 2,
        seed = u64::MAX,
        name = "every option",
        tolerance(rel = 1e-9, abs = 0),
        tolerance("/total", abs = f64::EPSILON),
        tolerance("/lines/*/price", ulp = 4),
        tolerance("/count", abs = 1, integers),
        policy = tdg::Policy::exact(),
        ignore("/discounted", "/a~1b"),
        ignore("/c"),
        unordered("", "/tags"),
        unordered("/lines"),
        allow = 0.01,
        threads = 2,
        store = "local",
        panics = "fail",
        crate = ::tdg,
    )]
    fn all_at_once(amount: f64) -> Invoice {
        Invoice {
            total: amount,
            discounted: false,
        }
    }

    /// A policy for the two tests below, whose outputs differ in every run.
    fn shared() -> Result<tdg::Policy, tdg::PolicyError> {
        tdg::Policy::exact().ignore("/run")
    }

    #[derive(Serialize)]
    struct Numbered {
        run: usize,
        row: usize,
        amount: f64,
    }

    fn numbered(amount: f64) -> Numbered {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        let run = RUNS.fetch_add(1, Ordering::Relaxed) + std::process::id() as usize;
        Numbered {
            run,
            row: run,
            amount,
        }
    }

    #[ensemble_test(
        definition = "tests/definitions/orders.json",
        size = 8,
        policy = shared(),
        ignore("/row")
    )]
    fn a_shared_policy_with_an_option(amount: f64) -> Numbered {
        numbered(amount)
    }

    #[ensemble_test(
        definition = "tests/definitions/orders.json",
        size = 8,
        policy = &shared().unwrap_or_default(),
        tolerance("/row", abs = 1e18, integers)
    )]
    fn the_same_policy_with_another_option(amount: f64) -> Numbered {
        numbered(amount)
    }

    #[ensemble_test(
        definition = "tests/definitions/orders.json",
        size = 8,
        panics = "record"
    )]
    fn recorded_panics(quantity: i64) -> i64 {
        assert!(quantity > 3, "too few");
        quantity
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8, batch)]
    fn batch_by_slice(orders: &[OwnedOrder]) -> Vec<f64> {
        orders.iter().map(|order| order.amount).collect()
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8, batch)]
    fn batch_by_vector(orders: Vec<Order<'_>>) -> Vec<Result<f64, String>> {
        orders.iter().map(|order| Ok(order.amount)).collect()
    }
}

mod other_attributes {
    use super::*;

    /// Documentation stays with the test.
    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    #[ignore = "it would fail"]
    fn an_ignored_test(amount: f64) -> f64 {
        panic!("{amount}")
    }

    #[cfg(any())]
    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn a_test_that_is_not_compiled(amount: Missing) -> Missing {
        amount
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    #[cfg(any())]
    fn a_test_that_is_not_compiled_either(amount: Missing) -> Missing {
        amount
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    #[cfg_attr(all(), inline, ignore = "it would fail")]
    #[cfg_attr(any(), should_be_nothing)]
    fn attributes_under_a_condition(amount: f64) -> f64 {
        panic!("{amount}")
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    #[must_use]
    #[inline(never)]
    #[track_caller]
    fn attributes_of_code(amount: f64) -> f64 {
        amount
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    #[expect(unused_variables)]
    fn expected_lints(amount: f64) {}

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    pub(super) fn with_a_visibility(amount: f64) -> f64 {
        amount
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    const fn a_const_fn(amount: f64) -> f64 {
        amount
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    fn many_parameters(
        amount: f64,
        quantity: i64,
        coupon: Option<String>,
        r#type: bool,
        #[feature("type")] b: bool,
        #[feature("type")] c: bool,
        #[feature("type")] d: bool,
        #[feature("unit price")] e: f64,
    ) -> f64 {
        if r#type && b && c && d && coupon.is_none() {
            amount + e
        } else {
            quantity as f64
        }
    }
}

mod fragments {
    use super::ensemble_test;

    macro_rules! test_of {
        ($name:ident, $path:expr, $size:expr, $parameter:ident: $kind:ty, $body:expr) => {
            #[ensemble_test(definition = $path, size = $size)]
            fn $name($parameter: $kind) -> $kind {
                $body
            }
        };
    }

    test_of!(by_name, "tests/definitions/orders.json", 8, amount: f64, amount + 1.0);
    test_of!(by_value, "tests/definitions/number.json", 4 + 4, x: f64, x + 1.0);
}

/// User-defined names that shadow names in the expansion.
mod shadows {
    #![allow(
        dead_code,
        non_camel_case_types,
        unused_imports,
        unused_macros,
        unused_macro_rules
    )]

    use ::tdg::ensemble_test;

    mod core {}
    mod std {}
    mod alloc {}
    mod tdg {}
    mod serde {}

    struct Result;
    struct Option;
    struct Vec;
    struct String;
    struct Outcome;
    struct f64;
    struct str;
    struct u8;
    struct usize;
    enum Shadow {
        Ok,
        Err,
        Some,
        None,
    }
    use Shadow::{Err, None, Ok, Some};

    fn row() {}
    fn vectors() {}
    fn runtime() {}

    macro_rules! env {
        ($($any:tt)*) => {
            compile_error!("shadowed")
        };
    }
    macro_rules! file {
        ($($any:tt)*) => {
            compile_error!("shadowed")
        };
    }
    macro_rules! line {
        ($($any:tt)*) => {
            compile_error!("shadowed")
        };
    }
    macro_rules! concat {
        ($($any:tt)*) => {
            compile_error!("shadowed")
        };
    }
    macro_rules! include_str {
        ($($any:tt)*) => {
            compile_error!("shadowed")
        };
    }
    macro_rules! module_path {
        ($($any:tt)*) => {
            compile_error!("shadowed")
        };
    }
    macro_rules! outcome {
        ($($any:tt)*) => {
            compile_error!("shadowed")
        };
    }

    trait Interfering {
        fn bind(&self) {}
        fn to(&self) {}
    }
    impl<T: ?Sized> Interfering for T {}

    #[ensemble_test(
        definition = "tests/definitions/orders.json",
        size = 8,
        tolerance(rel = 0.5),
        tolerance("/a", abs = 1.0, rel = 0.1, ulp = 4, integers),
        ignore("/b"),
        unordered("/c"),
        allow = 0.5,
        store = "local",
        panics = "fail"
    )]
    fn by_name(quantity: i64) -> i64 {
        quantity
    }

    mod names {
        use super::super::ensemble_test;

        #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
        fn row(amount: f64) -> f64 {
            amount
        }

        #[ensemble_test(definition = "tests/definitions/number.json", size = 8, batch)]
        fn vectors(number: &[f64]) -> Vec<f64> {
            number.to_vec()
        }

        #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
        fn r#match(amount: f64) -> f64 {
            amount
        }

        #[cfg(feature = "tokio")]
        #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
        async fn runtime(amount: f64) -> f64 {
            ::std::future::ready(amount).await
        }
    }
}

/// The prelude and its macros are not in scope.
#[no_implicit_prelude]
mod without_the_prelude {
    #![allow(clippy::unnecessary_wraps, clippy::trivially_copy_pass_by_ref)]

    use ::core::{convert::From, iter::Iterator, option::Option, result::Result};
    use ::serde::{Deserialize, Serialize};
    use ::std::{string::String, time::Duration, vec::Vec};
    use ::tdg::{Define, ensemble_test};

    #[derive(Define)]
    struct Job {
        #[define(uniform(0..=600), via = Duration::from_secs)]
        timeout: Duration,
        #[define(categorical("::1", "127.0.0.1"), parse)]
        host: ::std::net::IpAddr,
        #[define([uniform(0..=9), via = Duration::from_secs; 2])]
        pauses: [Duration; 2],
        #[define(any)]
        note: Option<String>,
    }

    #[derive(Define, Deserialize, Serialize)]
    #[define(depth = 3)]
    enum Operation {
        Push(#[define(any)] u8),
        Both(::std::boxed::Box<Operation>, ::std::boxed::Box<Operation>),
        Pop {
            #[define(uniform(0..3))]
            times: usize,
        },
        Clear,
    }

    fn checked(seconds: u64) -> Result<Duration, ::core::fmt::Error> {
        Result::Ok(Duration::from_secs(seconds))
    }

    #[ensemble_test(definition = Job, size = 8, output = "debug")]
    fn of_a_type(job: Job) -> (Duration, bool, usize, bool) {
        (
            job.timeout,
            job.host.is_ipv6(),
            job.pauses.len(),
            job.note.is_some(),
        )
    }

    #[ensemble_test(
        size = 8,
        threads = 2,
        define(order(low, high)),
        tolerance(rel = 1e-9),
        require("/0 >= 0", at_least = 0.5),
        panics = "record",
        output = "debug"
    )]
    fn of_the_signature(
        #[define(uniform(0..9))] low: i64,
        #[define(uniform(0..9))] high: i64,
        #[define([any; 0..=3])] list: &[u32],
        #[define([Operation; 0..=2])] operations: Vec<Operation>,
        #[define((uniform(0..8), any))] pair: (u8, bool),
    ) -> (usize, usize, bool) {
        (list.len(), operations.len(), low <= high && pair.1)
    }

    #[ensemble_test(size = 8, output = "debug")]
    fn of_makers(
        #[define(uniform(0..=9), via = checked)] checked: &Duration,
        #[define(uniform(0..=9), via = |n: u64| Duration::from_secs(n))] closure: Duration,
        #[define((uniform(0..=9), uniform(0..=9)), via = Duration::new)] two: Duration,
        #[define(uniform(0..=9), null_probability = 0.5, via = Duration::from_secs)] none: Option<
            Duration,
        >,
        #[define([uniform(0..=9), via = checked; 0..=3])] several: Vec<Duration>,
        #[define((any, pattern("[0-9]"), parse))] tuple: (u8, u16),
        #[define(any, via = |text: &str| text.chars().rev().collect::<String>())] text: &str,
    ) -> (bool, usize, Option<Duration>) {
        let sum = *checked + closure + two;
        (
            sum.is_zero(),
            several.len() + text.len() + usize::from(tuple.1),
            none,
        )
    }

    #[ensemble_test(size = 8)]
    fn of_what_no_row_lends(
        #[define(any)] text: &'static str,
        #[define(any)] optional: Option<&'static str>,
        #[define(any)] array: [u8; 40],
        #[define(any, via = |text: &str| text.len())] made: &'static usize,
    ) -> usize {
        text.len() + array.len() + *made + usize::from(optional.is_some())
    }

    #[ensemble_test(
        definition = "tests/definitions/orders.json",
        size = 8,
        against = other,
        keep = [r#"{"amount": 1.0, "quantity": 1, "coupon": null, "unit price": 1.0, "type": true}"#]
    )]
    fn of_a_file(
        amount: f64,
        #[fixture(Result::<f64, ::core::fmt::Error>::Ok(1.0)?)] least: &f64,
        #[fixture(each_row, Vec::new())] seen: &mut Vec<f64>,
    ) -> f64 {
        seen.push(amount);
        amount.max(*least)
    }

    fn other(amount: f64, least: &f64, _: &mut Vec<f64>) -> f64 {
        amount.max(*least)
    }

    #[ensemble_test(rows = "tests/rows/orders.csv", size = 2)]
    fn of_rows(amount: f64) -> f64 {
        amount
    }

    #[ensemble_test(definition = "tests/definitions/number.json", size = 8, batch)]
    fn of_all_rows(rows: &[f64]) -> Vec<f64> {
        rows.to_vec()
    }
}

/// A user's crate that re-exports tdg.
mod my {
    pub(crate) use ::tdg;
}

#[ensemble_test(definition = "tests/definitions/orders.json", size = 8, crate = crate::my::tdg)]
fn under_another_path(amount: f64) -> f64 {
    amount
}

#[cfg(feature = "tokio")]
mod asynchronous {
    use super::*;

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8)]
    async fn a_value(amount: f64, coupon: Option<&str>) -> f64 {
        tokio::task::yield_now().await;
        if coupon.is_some() {
            amount / 2.0
        } else {
            amount
        }
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8, threads = 2)]
    async fn on_several_threads(amount: f64) -> Result<f64, String> {
        tokio::spawn(async move { amount })
            .await
            .map_err(|error| error.to_string())
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 8, batch)]
    async fn in_batch(orders: &[OwnedOrder]) -> Vec<f64> {
        tokio::task::yield_now().await;
        orders.iter().map(|order| order.amount).collect()
    }
}
