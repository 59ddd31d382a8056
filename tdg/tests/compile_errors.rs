//! Errors as the compiler shows them. Errors of types are reported at the type and not at the
//! attribute. Errors of the macros appear all at once, without follow-up errors. The unit tests of
//! the macros cover the message of each mistake.

#![allow(clippy::unwrap_used)] // Covers helpers, whose failure fails the test.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const TYPES: &str = r#"
use tdg::ensemble_test;

struct Invoice {
    total: f64,
}

#[ensemble_test(definition = "orders.json")]
fn a_feature_as_a_type_that_is_no_deserialize(amount: f64, quantity: Invoice) -> f64 {
    amount * quantity.total
}

#[ensemble_test(definition = "orders.json")]
fn a_row_as_a_type_that_is_no_deserialize(invoice: Invoice) -> f64 {
    invoice.total
}

#[ensemble_test(definition = "orders.json")]
fn an_output_that_is_no_serialize(amount: f64) -> Invoice {
    Invoice { total: amount }
}

#[ensemble_test(definition = "orders.json")]
fn a_result_that_is_no_serialize(amount: f64) -> Result<Invoice, String> {
    Ok(Invoice { total: amount })
}

#[ensemble_test(definition = "orders.json")]
fn an_error_that_has_no_text(amount: f64) -> Result<f64, Invoice> {
    Err(Invoice { total: amount })
}

#[ensemble_test(definition = "orders.json", batch)]
fn a_batch_that_is_no_serialize(rows: &[(f64, i64)]) -> Vec<Invoice> {
    rows.iter().map(|_| Invoice { total: 0.0 }).collect()
}

#[ensemble_test(definition = "orders.json", output = "debug")]
fn an_output_that_is_no_debug(amount: f64) -> Invoice {
    Invoice { total: amount }
}

#[ensemble_test(definition = "orders.json", output = "debug")]
fn a_result_that_is_no_debug(amount: f64) -> Result<Invoice, String> {
    Ok(Invoice { total: amount })
}

#[ensemble_test(definition = "orders.json", output = "display", batch)]
fn a_batch_that_is_no_display(rows: &[(f64, i64)]) -> Vec<Invoice> {
    rows.iter().map(|_| Invoice { total: 0.0 }).collect()
}

#[ensemble_test(definition = "orders.json", output = [total, len(), owner()])]
fn members_that_are_not_there(amount: f64) -> Option<Invoice> {
    Some(Invoice { total: amount })
}

struct Owned {
    invoice: Invoice,
}

#[ensemble_test(definition = "orders.json", output = [invoice])]
fn a_member_that_is_no_debug(amount: f64) -> Owned {
    Owned { invoice: Invoice { total: amount } }
}

#[derive(tdg::Define)]
struct Derived {
    #[define(gaussian(mu = 10.0, sigma = 2.0))]
    amount: f64,
    #[define(uniform(min = 1, max = 20))]
    quantity: i64,
}

#[ensemble_test(definition = Derived)]
fn parameters_that_are_no_features_of_a_type(amuont: f64, quantity: i64, #[feature("unit price")] price: f64) -> f64 {
    amuont * quantity as f64 * price
}

#[ensemble_test(definition = Derived)]
fn a_fixture_that_is_none(amount: f64, invoice: &Invoice) -> f64 {
    amount * invoice.total
}

#[ensemble_test(definition = Invoice)]
fn a_type_that_defines_nothing(invoice: &tdg::Row) -> usize {
    invoice.index()
}

#[ensemble_test(definition = "orders.json", policy = 0.01)]
fn a_policy_that_is_a_number(amount: f64) -> f64 {
    amount
}

#[ensemble_test(definition = "orders.json", threads = 2)]
fn a_fixture_that_threads_can_not_share(amount: f64, #[fixture(std::cell::Cell::new(0))] calls: &std::cell::Cell<u32>) -> f64 {
    calls.set(1);
    amount
}

#[ensemble_test(definition = "orders.json")]
fn a_fixture_of_another_type(amount: f64, #[fixture("0".parse::<f64>())] least: &f64) -> f64 {
    amount.max(*least)
}

#[ensemble_test(definition = "orders.json")]
fn a_fixture_that_does_not_compile(amount: f64, #[fixture(missing()?)] least: &f64) -> f64 {
    amount.max(*least)
}

fn invoice(amount: f64) -> Invoice {
    Invoice { total: amount }
}

fn two(amount: f64, quantity: i64) -> f64 {
    amount * quantity as f64
}

#[ensemble_test(definition = "orders.json", against = missing)]
fn another_function_that_there_is_not(amount: f64) -> f64 {
    amount
}

#[ensemble_test(definition = "orders.json", against = two)]
fn another_function_of_other_parameters(amount: f64) -> f64 {
    amount
}

#[ensemble_test(definition = "orders.json", against = invoice)]
fn another_function_of_another_output(amount: f64) -> f64 {
    amount
}

#[ensemble_test]
fn a_parameter_that_is_no_enum(#[define(uniform(1..20))] quantity: f64, invoice: Invoice) -> f64 {
    quantity * invoice.total
}

type Count = u8;
type Row = [f64; 2];

#[derive(tdg::Define, serde::Deserialize)]
enum Coupon {
    Half,
}

#[ensemble_test]
fn a_type_that_no_distribution_draws(#[define(uniform(1..20))] invoice: Invoice) -> f64 {
    invoice.total
}

#[ensemble_test]
fn any_value_of_an_alias_of_a_list(#[define(any)] row: Row) -> f64 {
    row[0]
}

#[ensemble_test]
fn a_null_of_an_alias(#[define(uniform(1..20), null_probability = 0.1)] count: Count) -> u8 {
    count
}

#[ensemble_test]
fn a_null_of_an_enum(#[define(null_probability = 0.1)] coupon: Coupon) -> u8 {
    coupon as u8
}

#[ensemble_test(definition = "orders.json")]
fn the_body(amount: f64) -> f64 {
    amount + "one"
}
"#;

const ORDERS: &str = r#"{
  "definition_name": "orders",
  "features": [
    {"feature_name": "amount", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 10, "sigma": 2}},
    {"feature_name": "quantity", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 20}}
  ]
}"#;

#[test]
fn mistakes_in_types_are_reported_at_the_types() {
    insta::assert_snapshot!(errors_of(TYPES), @r#"
    #[ensemble_test(definition = "orders.json", against = [missing])]
        cannot find value `missing` in this scope
    fn a_feature_as_a_type_that_is_no_deserialize(amount: f64, quantity: [Invoice]) -> f64 {
        the trait bound `Invoice: serde::Deserialize<'de>` is not satisfied
        note: for local types consider adding `#[derive(serde::Deserialize)]` to your `Invoice` type
        note: for types from other crates check whether the crate offers a `serde` feature flag
    fn a_row_as_a_type_that_is_no_deserialize(invoice: [Invoice]) -> f64 {
        the trait bound `Invoice: serde::Deserialize<'de>` is not satisfied
        note: for local types consider adding `#[derive(serde::Deserialize)]` to your `Invoice` type
        note: for types from other crates check whether the crate offers a `serde` feature flag
    fn a_row_as_a_type_that_is_no_deserialize(invoice: [Invoice]) -> f64 {
        the trait bound `Invoice: serde::Deserialize<'de>` is not satisfied
        note: for local types consider adding `#[derive(serde::Deserialize)]` to your `Invoice` type
        note: for types from other crates check whether the crate offers a `serde` feature flag
    fn an_output_that_is_no_serialize(amount: f64) -> [Invoice] {
        `Invoice` can't be recorded as the output of a test
        note: derive `serde::Serialize` for it, or write `output = "debug"` in the attribute to record its `Debug`
        note: a type of another crate may implement it with that crate's feature `serde`
        note: both sides of a `Result` are recorded: the `Ok` must be `Serialize`, the `Err` `Serialize`, `Display` or `Debug`
    fn a_result_that_is_no_serialize(amount: f64) -> [Result]<Invoice, String> {
        `Result<Invoice, std::string::String>` can't be recorded as the output of a test
        note: derive `serde::Serialize` for it, or write `output = "debug"` in the attribute to record its `Debug`
        note: a type of another crate may implement it with that crate's feature `serde`
        note: both sides of a `Result` are recorded: the `Ok` must be `Serialize`, the `Err` `Serialize`, `Display` or `Debug`
    fn an_error_that_has_no_text(amount: f64) -> [Result]<f64, Invoice> {
        `Result<f64, Invoice>` can't be recorded as the output of a test
        note: derive `serde::Serialize` for it, or write `output = "debug"` in the attribute to record its `Debug`
        note: a type of another crate may implement it with that crate's feature `serde`
        note: both sides of a `Result` are recorded: the `Ok` must be `Serialize`, the `Err` `Serialize`, `Display` or `Debug`
    fn a_batch_that_is_no_serialize(rows: &[(f64, i64)]) -> [Vec]<Invoice> {
        `Invoice` can't be recorded as the output of a test
        note: derive `serde::Serialize` for it, or write `output = "debug"` in the attribute to record its `Debug`
        note: a type of another crate may implement it with that crate's feature `serde`
        note: both sides of a `Result` are recorded: the `Ok` must be `Serialize`, the `Err` `Serialize`, `Display` or `Debug`
    fn an_output_that_is_no_debug(amount: f64) -> [Invoice] {
        `Invoice` can't be recorded by `Debug` as the output of a test
        note: derive `Debug` for it, or write `output = "display"` if it is `Display`, or list public members of it: `output = [len(), width]`
        note: both sides of a `Result` are recorded: the `Ok` must be `Debug`, the `Err` `Debug` or `Display`
    fn a_result_that_is_no_debug(amount: f64) -> [Result]<Invoice, String> {
        `Result<Invoice, std::string::String>` can't be recorded by `Debug` as the output of a test
        note: derive `Debug` for it, or write `output = "display"` if it is `Display`, or list public members of it: `output = [len(), width]`
        note: both sides of a `Result` are recorded: the `Ok` must be `Debug`, the `Err` `Debug` or `Display`
    fn a_batch_that_is_no_display(rows: &[(f64, i64)]) -> [Vec]<Invoice> {
        `Invoice` can't be recorded by `Display` as the output of a test
        note: implement `Display` for it, or write `output = "debug"` if it is `Debug`
        note: both sides of a `Result` are recorded: the `Ok` and the `Err` must be `Display`
    #[ensemble_test(definition = "orders.json", output = [total, [len](), owner()])]
        no method named `len` found for reference `&Invoice` in the current scope
        note: the following trait defines an item `len`, perhaps you need to implement it:
    candidate #1: `ExactSizeIterator`
    #[ensemble_test(definition = "orders.json", output = [total, len(), [owner]()])]
        no method named `owner` found for reference `&Invoice` in the current scope
    #[ensemble_test(definition = "orders.json", output = [[invoice]])]
        a member of type `Invoice` can't be recorded
        note: list other members in `output`, or return a part of this one from the function
    fn parameters_that_are_no_features_of_a_type([amuont]: f64, quantity: i64, #[feature("unit price")] price: f64) -> f64 {
        evaluation panicked: `amuont` is not a feature of `Derived`
    fn parameters_that_are_no_features_of_a_type(amuont: f64, quantity: i64, #[feature(["unit price"])] price: f64) -> f64 {
        evaluation panicked: `unit price` is not a feature of `Derived`
    fn a_fixture_that_is_none(amount: f64, invoice: [&]Invoice) -> f64 {
        the trait bound `Invoice: serde::Deserialize<'de>` is not satisfied
        note: for local types consider adding `#[derive(serde::Deserialize)]` to your `Invoice` type
        note: for types from other crates check whether the crate offers a `serde` feature flag
    fn a_fixture_that_is_none(amount: f64, [invoice]: &Invoice) -> f64 {
        evaluation panicked: `invoice` is not a feature of `Derived`
      a value that isn't part of the row is a fixture: #[fixture(…)] invoice: &Invoice
    #[ensemble_test(definition = [Invoice])]
        `Invoice` defines no rows
        note: a struct with named fields becomes one with #[derive(tdg::Define)]
    #[ensemble_test(definition = "orders.json", policy = [0.01])]
        `{float}` is not a policy
    fn a_fixture_that_threads_can_not_share(amount: f64, #[fixture(std::cell::Cell::new(0))] calls: [&]std::cell::Cell<u32>) -> f64 {
        the threads of this test can't share `Cell<{integer}>`
        note: leave out `threads`, or make one for each row: #[fixture(each_row, …)]
    fn a_fixture_of_another_type(amount: f64, #[fixture("0".parse::<f64>())] least: [&]f64) -> f64 {
        mismatched types
        note: expected reference `&f64`
       found reference `&Result<f64, ParseFloatError>`
    fn a_fixture_that_does_not_compile(amount: f64, #[fixture([missing]()?)] least: &f64) -> f64 {
        cannot find function `missing` in this scope
    #[ensemble_test(definition = "orders.json", against = [two])]
        this function takes 2 arguments but 1 argument was supplied
    #[ensemble_test(definition = "orders.json", against = [invoice])]
        `Invoice` can't be recorded as the output of a test
        note: derive `serde::Serialize` for it, or write `output = "debug"` in the attribute to record its `Debug`
        note: a type of another crate may implement it with that crate's feature `serde`
        note: both sides of a `Result` are recorded: the `Ok` must be `Serialize`, the `Err` `Serialize`, `Display` or `Debug`
    fn a_parameter_that_is_no_enum(#[define(uniform(1..20))] quantity: f64, invoice: [Invoice]) -> f64 {
        the values of a feature of type `Invoice` are unknown
        note: an enum or a struct gets one with #[derive(tdg::Define)]; for a type of your library in `tests/`, see docs/how-to/own-types.md
        note: for another type, state the type that serde reads it from, and the distribution: #[define(type = INTEGER, uniform(1..=255))]; or name a function that makes it: #[define(uniform(1..=255), via = Invoice::new)]
        note: a value that isn't part of the row is a fixture: #[fixture(…)]; to use a definition file, name it: #[ensemble_test(definition = "definitions/orders.json")]
    fn a_parameter_that_is_no_enum(#[define(uniform(1..20))] quantity: f64, invoice: [Invoice]) -> f64 {
        the trait bound `Invoice: serde::Deserialize<'de>` is not satisfied
        note: for local types consider adding `#[derive(serde::Deserialize)]` to your `Invoice` type
        note: for types from other crates check whether the crate offers a `serde` feature flag
    fn a_type_that_no_distribution_draws(#[define(uniform(1..20))] invoice: [Invoice]) -> f64 {
        the values of a feature of type `Invoice` are unknown
        note: state the type that serde reads it from, one of FLOAT, INTEGER, STRING, BOOLEAN, DATETIME, DATE: #[define(type = INTEGER, …)]
        note: or name a function that makes it from the drawn value: #[define(…, via = Invoice::new)]
        note: an alias can be of a number, a text, or an `Option` of these; for another one, write the type itself
        note: required for `Invoice` to implement `tdg::__private::AnyPart`
    fn a_type_that_no_distribution_draws(#[define(uniform(1..20))] invoice: [Invoice]) -> f64 {
        the trait bound `Invoice: serde::Deserialize<'de>` is not satisfied
        note: for local types consider adding `#[derive(serde::Deserialize)]` to your `Invoice` type
        note: for types from other crates check whether the crate offers a `serde` feature flag
    fn any_value_of_an_alias_of_a_list(#[define(any)] row: [Row]) -> f64 {
        the values of a feature of type `[f64; 2]` are unknown
        note: state the type that serde reads it from, one of FLOAT, INTEGER, STRING, BOOLEAN, DATETIME, DATE: #[define(type = INTEGER, …)]
        note: or name a function that makes it from the drawn value: #[define(…, via = [f64; 2]::new)]
        note: an alias can be of a number, a text, or an `Option` of these; for another one, write the type itself
        note: required for `[f64; 2]` to implement `tdg::__private::AnyPart`
    fn a_null_of_an_alias(#[define(uniform(1..20), null_probability = 0.1)] count: [Count]) -> u8 {
        a row of this feature can be null, which `u8` can't hold
    fn a_null_of_an_enum(#[define(null_probability = 0.1)] coupon: [Coupon]) -> u8 {
        a row of this feature can be null, which `Coupon` can't hold
        amount [+] "one"
        cannot add `&str` to `f64`
    "#);
}

const MAKERS: &str = r#"
use tdg::ensemble_test;

pub struct Money(i64);

impl Money {
    fn new(cents: i64) -> Result<Self, String> {
        Ok(Money(cents))
    }

    fn of(money: Money) -> Self {
        money
    }

    fn two(units: i64, cents: i64) -> Self {
        Money(100 * units + cents)
    }

    fn cents(self) -> i64 {
        self.0
    }
}

#[ensemble_test]
fn a_maker_of_another_type(#[define(uniform(0..9), via = |n: i64| n + 1)] total: Money) -> i64 {
    total.cents()
}

#[ensemble_test]
fn a_maker_of_another_type_behind_a_reference(#[define(uniform(0..9), via = |n: i64| n + 1)] text: &str) -> usize {
    text.len()
}

#[ensemble_test]
fn a_maker_of_another_result(#[define(uniform(0..9), via = Money::new)] total: Result<Money, u8>) -> i64 {
    total.map_or(0, Money::cents)
}

#[ensemble_test]
fn a_maker_that_may_refuse_twice(#[define(uniform(0..9), via = |n: i64| Some(Money::new(n)))] total: Money) -> i64 {
    total.cents()
}

#[ensemble_test]
fn a_maker_that_there_is_not(#[define(uniform(0..9), via = Money::from_cents)] total: Money) -> i64 {
    total.cents()
}

#[ensemble_test]
fn a_maker_of_what_no_row_holds(#[define(uniform(0..9), via = Money::of)] total: Money) -> i64 {
    total.cents()
}

#[ensemble_test]
fn a_maker_of_two_values(#[define(uniform(0..9), via = Money::two)] total: Money) -> i64 {
    total.cents()
}

#[ensemble_test]
fn a_method_of_an_unknown_type(#[define(uniform(0..9), via = |n| Money(n.pow(2)))] total: Money) -> i64 {
    total.cents()
}

#[ensemble_test]
fn a_type_without_from(#[define(uniform(0..9), via = Money::from)] total: Money) -> i64 {
    total.cents()
}

#[ensemble_test]
fn a_type_that_can_not_be_parsed(#[define(pattern(regex = "[0-9]"), parse)] total: Money) -> i64 {
    total.cents()
}

#[derive(tdg::Define)]
struct Order {
    #[define(uniform(0..9), via = |n: i64| n + 1)]
    total: Money,
}
"#;

#[test]
fn mistakes_in_makers_are_reported_at_them_or_at_the_type() {
    insta::assert_snapshot!(errors_of(MAKERS), @r#"
    fn a_maker_of_another_type(#[define(uniform(0..9), via = |n: i64| n + 1)] total: [Money]) -> i64 {
        the maker returns `i64`, but the test takes `Money`
        note: a maker returns the value itself, or a `Result` or `Option` of it, which may refuse the row
        note: a function of each element is named within the list: [uniform(0..9), via = Digit::new; 0..=5]
    fn a_maker_of_another_type_behind_a_reference(#[define(uniform(0..9), via = |n: i64| n + 1)] text: [&]str) -> usize {
        mismatched types
        note: expected reference `&str`
       found reference `&i64`
    fn a_maker_of_another_result(#[define(uniform(0..9), via = Money::new)] total: [Result]<Money, u8>) -> i64 {
        the maker returns `Result<Money, std::string::String>`, but the test takes `Result<Money, u8>`
        note: a maker returns the value itself, or a `Result` or `Option` of it, which may refuse the row
        note: a function of each element is named within the list: [uniform(0..9), via = Digit::new; 0..=5]
    fn a_maker_that_may_refuse_twice(#[define(uniform(0..9), via = |n: i64| Some(Money::new(n)))] total: [Money]) -> i64 {
        the maker returns `Option<Result<Money, std::string::String>>`, but the test takes `Money`
        note: a maker returns the value itself, or a `Result` or `Option` of it, which may refuse the row
        note: a function of each element is named within the list: [uniform(0..9), via = Digit::new; 0..=5]
    fn a_maker_that_there_is_not(#[define(uniform(0..9), via = Money::[from_cents])] total: Money) -> i64 {
        no function or associated item named `from_cents` found for struct `Money` in the current scope
    fn a_maker_of_what_no_row_holds(#[define(uniform(0..9), via = Money::of)] total: [Money]) -> i64 {
        the trait bound `Money: serde::Deserialize<'de>` is not satisfied
        note: for local types consider adding `#[derive(serde::Deserialize)]` to your `Money` type
        note: for types from other crates check whether the crate offers a `serde` feature flag
    fn a_maker_of_two_values(#[define(uniform(0..9), via = [Money]::two)] total: Money) -> i64 {
        this function takes 2 arguments but 1 argument was supplied
    fn a_method_of_an_unknown_type(#[define(uniform(0..9), via = |[n]| Money(n.pow(2)))] total: Money) -> i64 {
        type annotations needed
        proposes ": /* Type */"
    fn a_type_without_from(#[define(uniform(0..9), via = [Money]::from)] total: Money) -> i64 {
        mismatched types
    fn a_type_that_can_not_be_parsed(#[define(pattern(regex = "[0-9]"), parse)] total: [Money]) -> i64 {
        the trait bound `Money: FromStr` is not satisfied
        total: [Money],
        the maker returns `i64`, but the test takes `Money`
        note: a maker returns the value itself, or a `Result` or `Option` of it, which may refuse the row
        note: a function of each element is named within the list: [uniform(0..9), via = Digit::new; 0..=5]
    "#);
}

const MISTAKES: &str = r#"
use tdg::ensemble_test;

#[ensemble_test(definition = "orders.json", size = 0, seed = -7, threads)]
#[should_panic]
fn several<T>(amount: impl Into<f64>) -> f64 {
    amount.into()
}

#[ensemble_test(size = 500)]
fn no_definition(amount: f64) -> f64 {
    amount
}

#[ensemble_test(definition = "orders.json", size = 0)]
#[ignore = "slow"]
#[must_use]
fn a_function_with_other_users(amount: f64, #[feature("quantity")] count: i64) -> f64 {
    amount * count as f64
}

#[ensemble_test(definition = "orders.json")]
struct ItemWithOtherUsers {
    amount: f64,
}

impl ItemWithOtherUsers {
    #[ensemble_test(definition = "orders.json")]
    fn method(&self, amount: f64) -> f64 {
        amount + self.amount
    }
}

fn other_users() -> f64 {
    ItemWithOtherUsers { amount: a_function_with_other_users(1.0, 2) }.method(1.0)
}

trait Shop {
    #[ensemble_test(definition = "orders.json")]
    fn without_a_body(amount: f64) -> f64;
}

#[ensemble_test(definition = "orders.json")]
async fn without_a_runtime(amount: f64) -> f64 {
    amount
}

#[ensemble_test(definition = "orders.json")]
#[ensemble_test(definition = Order)]
fn twice(amount: f64) -> f64 {
    amount
}

#[ensemble_test(definition = "orders.json")]
#[test]
fn also_a_test(amount: f64) -> f64 {
    amount
}

#[ensemble_test(definition = "orders.json")]
#[tokio::test]
fn also_a_test_of_tokio(amount: f64) -> f64 {
    amount
}

#[ensemble_test(definition = "orders.json")]
#[case(1.0)]
fn also_cases_of_rstest(#[case] amount: f64) -> f64 {
    amount
}

#[ensemble_test(definition = "orders.json")]
#[cfg_attr(all(), should_panic(expected = "reason"))]
fn under_a_condition(amount: f64) -> f64 {
    amount
}

#[ensemble_test(definition = "orders.json")]
fn a_parameter_under_a_condition(#[cfg(unix)] amount: f64) -> f64 {
    amount
}

#[ensemble_test(definition = "orders.json", tolerance(rel = -1e-9))]
fn a_negative_number(amount: f64) -> f64 {
    amount
}

#[ensemble_test]
fn in_the_signature(#[define(uniform(-1..=20))] quantity: u32, db: &Db) -> u32 {
    quantity
}

#[derive(tdg::Define)]
struct Order {
    #[define(gaussian(mu = 10.0, sigma = -2.0))]
    amount: f64,
    #[define(gausian(mu = 10.0, sigma = 2.0), nul_probability = 0.1)]
    price: Option<f64>,
}

#[ensemble_test(definition = Order)]
fn a_user_of_a_type_with_mistakes(amount: f64) -> f64 {
    amount
}

struct Money(f64);

#[derive(tdg::Define)]
struct Bill {
    total: Money,
}
"#;

#[test]
fn mistakes_are_reported_all_at_once_and_alone() {
    insta::assert_snapshot!(errors_of(MISTAKES));
}

const CONSTANTS: &str = r#"
use tdg::ensemble_test;

const MAX: u32 = 100;
const NAME: &str = "HALF";

struct Limits;

#[ensemble_test]
fn a_text_as_a_bound(#[define(uniform(1..=NAME))] quantity: u32) -> u32 {
    quantity
}

#[ensemble_test]
fn a_text_as_an_end(#[define(uniform(1..NAME))] quantity: u32) -> u32 {
    quantity
}

#[ensemble_test]
fn a_text_as_a_share(#[define(categorical("a" = NAME, "b" = 0.5))] text: &str) -> usize {
    text.len()
}

#[ensemble_test]
fn a_text_as_a_length(#[define([any; 0..=NAME])] list: &[u8]) -> usize {
    list.len()
}

#[ensemble_test(define(correlation(a, b, NAME)))]
fn a_text_as_a_correlation(#[define(uniform(0..=9))] a: u32, #[define(uniform(0..=9))] b: u32) -> u32 {
    a + b
}

const LIST: [u32; 2] = [1, 2];

#[ensemble_test]
fn a_list_as_a_value(#[define(categorical(NAME, LIST))] text: &str) -> usize {
    text.len()
}

#[ensemble_test]
fn a_constant_that_there_is_not(#[define(uniform(1..=MIN))] quantity: u32) -> u32 {
    quantity
}

#[ensemble_test]
fn a_constant_that_a_type_has_not(#[define(uniform(1..=Limits::MAX))] quantity: u32) -> u32 {
    quantity
}

#[ensemble_test(size = MAX)]
fn a_size_of_another_type(#[define(uniform(1..=MAX))] quantity: u32) -> u32 {
    quantity
}

#[derive(tdg::Define)]
struct Order {
    #[define(uniform(1..=NAME))]
    quantity: u32,
    #[define(uniform(1..=Self::MOST))]
    most: u32,
}

#[derive(tdg::Define)]
#[define(depth = NAME, leaves = 64)]
enum Tree {
    Leaf(#[define(uniform(1..=NAME))] u32),
    Branch(Vec<Tree>),
}
"#;

#[test]
fn mistakes_in_constants_are_reported_at_them() {
    insta::assert_snapshot!(errors_of(CONSTANTS));
}

const IMPORTS: &str = r#"
use tdg::ensemble_test;

mod old {
    pub const MAX: u32 = 9;
    pub const SIZE: usize = 9;

    pub fn total(amount: f64) -> f64 {
        amount
    }

    pub struct Money(i64);

    impl Money {
        pub fn new(cents: i64) -> i64 {
            cents
        }
    }

    #[derive(tdg::Define)]
    pub struct Order {
        #[define(uniform(0..9))]
        pub amount: i64,
    }
}

use old::{MAX, Money, Order, SIZE, total};

#[ensemble_test(size = 0, against = total)]
fn another_function(#[define(uniform(0.0..9.0))] amount: f64) -> f64 {
    amount
}

#[ensemble_test(definition = Order, seed = -1)]
fn a_definition(amount: i64) -> i64 {
    amount
}

#[ensemble_test(size = SIZE, seed = -1)]
fn of_constants(#[define(uniform(0..MAX))] amount: i64) -> i64 {
    amount
}

#[ensemble_test(size = 0)]
fn of_a_maker(#[define(uniform(0..9), via = Money::new)] amount: i64) -> i64 {
    amount
}
"#;

#[test]
fn imports_for_an_attribute_with_mistakes_are_used() {
    insta::assert_snapshot!(errors_of(IMPORTS));
}

/// Returns one line per error: the source that it points to, and the message.
fn errors_of(tests: &str) -> String {
    let package = tempfile::tempdir().unwrap();
    let root = package.path();
    let tdg = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = format!(
        "[package]\nname = \"mistaken\"\nedition = \"2024\"\n\n[dev-dependencies]\n\
         tdg = {{ path = {tdg:?}, default-features = false }}\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\n\n[workspace]\n\n\
         [profile.dev]\ndebug = 0\n"
    );
    std::fs::create_dir(root.join("src")).unwrap();
    std::fs::write(root.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(root.join("src/lib.rs"), format!("#![cfg(test)]\n{tests}")).unwrap();
    std::fs::write(root.join("orders.json"), ORDERS).unwrap();
    std::fs::copy(tdg.join("../Cargo.lock"), root.join("Cargo.lock")).unwrap();
    let checked = Command::new(env!("CARGO"))
        .args([
            "check",
            "--tests",
            "--offline",
            "--message-format=json",
            "--target-dir",
        ])
        // This target directory already has the macros' dependencies, built for other crates.
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap())
        .current_dir(root)
        .output()
        .unwrap();
    let mut errors = String::new();
    for line in String::from_utf8(checked.stdout).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let message = &line["message"];
        let spans = message["spans"].as_array().into_iter().flatten();
        let mut primary = spans.filter(|span| span["is_primary"] == true);
        let Some(span) = primary.next() else {
            continue;
        };
        let source = &span["text"][0];
        let column = |name: &str| source[name].as_u64().unwrap() as usize - 1;
        let text = source["text"].as_str().unwrap();
        let (start, end) = (column("highlight_start"), column("highlight_end"));
        writeln!(
            errors,
            "{}[{}]{}",
            &text[..start],
            &text[start..end],
            &text[end..]
        )
        .unwrap();
        writeln!(errors, "    {}", message["message"].as_str().unwrap()).unwrap();
        for note in message["children"].as_array().unwrap() {
            if note["level"] == "note" && note["spans"].as_array().is_some_and(Vec::is_empty) {
                writeln!(errors, "    note: {}", note["message"].as_str().unwrap()).unwrap();
            }
        }
        for help in message["children"].as_array().into_iter().flatten() {
            let proposed = help["spans"].as_array().into_iter().flatten();
            let mut proposed = proposed.filter_map(|it| it["suggested_replacement"].as_str());
            if let Some(proposed) = proposed.next() {
                writeln!(errors, "    proposes {proposed:?}").unwrap();
            }
        }
    }
    assert!(
        !errors.is_empty(),
        "{}",
        String::from_utf8_lossy(&checked.stderr)
    );
    errors
}
