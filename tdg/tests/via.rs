//! Values from makers.

#![allow(clippy::unwrap_used)] // Covers helpers, whose failure fails the test.

use std::fmt;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use tdg::ensemble_test;

/// An amount of money in cents.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Money(i64);

#[derive(Debug)]
struct Negative(i64);

impl fmt::Display for Negative {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} is below zero", self.0)
    }
}

impl Money {
    fn from_cents(cents: i64) -> Self {
        Money(cents)
    }

    fn positive(cents: i64) -> Result<Self, Negative> {
        match cents {
            0.. => Ok(Money(cents)),
            _ => Err(Negative(cents)),
        }
    }

    fn checked(cents: i64) -> Self {
        assert!(cents != 0, "no zero");
        Money(cents)
    }

    fn even(cents: i64) -> Option<Self> {
        (cents % 2 == 0).then_some(Money(cents))
    }
}

impl FromStr for Money {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Money)
    }
}

impl From<i64> for Money {
    fn from(cents: i64) -> Self {
        Money(cents)
    }
}

/// Its path has a comma.
struct Pair<A, B>(std::marker::PhantomData<(A, B)>);

impl Pair<Money, Money> {
    fn first(cents: i64) -> Money {
        Money(cents)
    }
}

fn shout(text: &str) -> String {
    text.to_uppercase()
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(name)
}

#[ensemble_test(size = 5)]
fn of_a_path(#[define(uniform(0..=100_000), via = Money::from_cents)] total: Money) -> i64 {
    total.0
}

#[ensemble_test(size = 5)]
fn of_a_closure(
    #[define(uniform(0..=9), via = |n: u8| Money(i64::from(n) * 100))] by_value: Money,
    #[define(any, via = |n: i64| <Pair<Money, Money>>::first(n))] by_reference: &Money,
    #[define(uniform(0..9), via = |n| Money(Money::from_cents(n).0 + 1))] changed: &mut Money,
) -> (i64, i64, i64) {
    changed.0 += 1;
    (by_value.0, by_reference.0, changed.0)
}

/// A borrowed text.
#[derive(Debug)]
struct View<'a>(&'a str);

impl<'a> View<'a> {
    fn new(text: &'a str) -> Option<Self> {
        (!text.is_empty()).then_some(View(text))
    }
}

#[ensemble_test(size = 20)]
fn that_borrows(
    #[define(any, via = |text: &str| View::new(text))] view: View<'_>,
    #[define((pattern("[a-z]{1,4}"), uniform(0..9)), via = |text: &str, _: u8| View(text))]
    two: &View<'_>,
    #[define([pattern("[a-z]{1,4}"), via = |text: &str| View(text); 2])] several: Vec<View<'_>>,
) -> usize {
    view.0.len() + two.0.len() + several.len()
}

#[ensemble_test(size = 5)]
fn of_text(
    #[define(pattern(regex = "[a-z]{3}"), via = shout)] owned: String,
    #[define(pattern(regex = "[a-z]{3}"), via = shout)] lent: &str,
    #[define(pattern(regex = "[ ]?[a-z]{3}[ ]?"), via = str::trim)] borrowed: &str,
    #[define(pattern(regex = "[a-z]{3}"), via = file)] path: &Path,
    #[define(pattern(regex = "[a-z]{3}"), via = |text: &str| text.as_bytes().to_vec())]
    bytes: &[u8],
) -> (String, String, String, String, usize) {
    let path = path.display().to_string();
    (
        owned,
        lent.to_owned(),
        borrowed.to_owned(),
        path,
        bytes.len(),
    )
}

#[ensemble_test(size = 20)]
fn that_may_refuse(
    #[define(uniform(-1..=9), via = Money::positive)] total: Money,
    #[define(uniform(0..=9), via = |n: i64| Money::even(n * n * 2))] even: Money,
) -> i64 {
    total.0 + even.0
}

#[ensemble_test(size = 20)]
fn of_nulls(
    #[define(uniform(0..=9), null_probability = 0.5, via = Money::from_cents)] none: Option<Money>,
    #[define(uniform(0..=9), null_probability = 0.5, via = |n: Option<i64>| Money(n.unwrap_or(-1)))]
    made: Money,
) -> (Option<i64>, i64) {
    (none.map(|it| it.0), made.0)
}

#[ensemble_test(size = 20)]
fn whose_type_can_be_none(
    #[define(uniform(0..=9), via = Money::even)] option: Option<Money>,
    #[define(uniform(-5..=9), via = Money::positive)] result: Result<Money, Negative>,
    #[define(uniform(0..=9), via = Money::positive)] both: Option<Money>,
) -> (Option<i64>, Result<i64, String>, Option<i64>) {
    let cents = |it: Money| it.0;
    let result = result.map(cents).map_err(|it| it.to_string());
    (option.map(cents), result, both.map(cents))
}

#[ensemble_test(size = 5)]
fn parsed(
    #[define(pattern(regex = "[0-9]{2}"), parse)] money: Money,
    #[define(pattern(regex = "[0-9]{2}"), parse)] lent: &Money,
    #[define(pattern(regex = "[0-9]{2}"), null_probability = 0.5, parse)] none: Option<Money>,
) -> (i64, i64, Option<i64>) {
    (money.0, lent.0, none.map(|it| it.0))
}

#[ensemble_test(size = 5)]
fn of_from(
    #[define(uniform(0..=9), via = Money::from)] money: Money,
    #[define(uniform(0..=9), via = |n: i64| u8::try_from(n))] byte: u8,
    #[define(uniform(-1..=300), via = u8::try_from)] refused: u8,
) -> (i64, u8, u8) {
    (money.0, byte, refused)
}

#[ensemble_test(definition = "tests/definitions/orders.json", size = 5)]
fn of_a_file(
    #[define(via = |amount: f64| format!("{amount:.2}"))] amount: String,
    quantity: u32,
) -> String {
    format!("{quantity} x {amount}")
}

#[ensemble_test(size = 5, against = against::total)]
fn against(#[define(uniform(0..9), via = Money::from_cents)] mut total: Money) -> i64 {
    total.0 += 1;
    total.0
}

mod against {
    use super::{Money, Opaque, Ratio};

    pub(super) fn of_all_kinds(
        total: Money,
        parts: &[Money],
        rate: &Ratio,
        opaque: Opaque,
        _: &str,
    ) -> i64 {
        total.0 + parts.len() as i64 + rate.0 + opaque.0
    }

    pub(super) fn total(total: super::Money) -> i64 {
        total.0 + 1
    }
}

/// A struct that `derive(Define)` reads, since two of its fields have makers.
#[derive(tdg::Define)]
#[serde(rename_all = "camelCase")]
struct Invoice<'a> {
    #[define(uniform(1..=31))]
    due_day: u8,
    #[define(categorical("HALF", "TENTH"), null_probability = 0.3)]
    coupon: Option<&'a str>,
    #[define(uniform(-9..=99), via = Money::positive)]
    net: Money,
    #[define(pattern(regex = "[0-9]{1,2}"), parse)]
    tip: Option<Money>,
    #[serde(skip)]
    seen: bool,
    #[define(any)]
    #[serde(default)]
    paid: bool,
}

fn gross(invoice: &Invoice<'_>) -> (u8, Option<String>, i64, bool) {
    let tip = invoice.tip.map_or(0, |tip| tip.0);
    let coupon = invoice.coupon.map(str::to_owned);
    (
        invoice.due_day,
        coupon,
        invoice.net.0 + tip,
        invoice.paid || invoice.seen,
    )
}

#[ensemble_test(definition = Invoice<'_>, size = 100)]
fn of_fields(invoice: Invoice<'_>) -> (u8, Option<String>, i64, bool) {
    gross(&invoice)
}

#[ensemble_test(definition = Invoice<'_>, size = 100, batch)]
fn of_fields_of_all_rows(invoices: &[Invoice<'_>]) -> Vec<(u8, Option<String>, i64, bool)> {
    invoices.iter().map(gross).collect()
}

#[derive(tdg::Define)]
struct Parcel {
    #[define((uniform(1..=9), uniform(1..=9)), via = Ratio::new)]
    scale: Ratio,
    #[define([uniform(-1..=99), via = Money::positive; 0..=2])]
    fees: Vec<Money>,
}

#[ensemble_test(definition = Parcel, size = 20)]
fn of_parts_of_fields(parcel: Parcel) -> (i64, usize) {
    (parcel.scale.0 * parcel.scale.1, parcel.fees.len())
}

#[ensemble_test(size = 5)]
#[ignore = "it fails"]
fn whose_maker_panics(#[define(uniform(0..=0), via = Money::checked)] total: Money) -> i64 {
    total.0
}

#[ensemble_test(size = 10)]
#[ignore = "it fails"]
fn of_too_few_inputs(#[define(uniform(-1..=-1), via = Money::positive)] total: Money) -> i64 {
    total.0
}

#[ensemble_test(size = 10, against = against::total)]
#[ignore = "it fails"]
fn against_of_too_few_inputs(
    #[define(uniform(-1..=-1), via = Money::positive)] total: Money,
) -> i64 {
    total.0
}

#[ensemble_test(size = 10)]
#[ignore = "it fails"]
fn whose_maker_takes_no_null(
    #[define(uniform(0..=9), null_probability = 0.1, via = Money::from_cents)] total: Money,
) -> i64 {
    total.0
}

/// A fraction in lowest terms.
#[derive(Debug, PartialEq)]
struct Ratio(i64, i64);

impl Ratio {
    fn new(numerator: i64, denominator: i64) -> Result<Self, String> {
        match denominator {
            0 => Err(format!("{numerator} / 0")),
            _ => Ok(Ratio(numerator, denominator)),
        }
    }
}

#[ensemble_test(size = 20)]
fn of_several_values(
    #[define((uniform(-9..=9), uniform(1..=9)), via = |n: i64, d: i64| Ratio::new(n, d))]
    closure: Ratio,
    #[define((uniform(-9..=9), uniform(0..=9)), via = Ratio::new)] path: &Ratio,
    #[define((uniform(1..=9), uniform(1..=9)), via = |n, d: i64| Ratio::new(n, d + 1))] open: Ratio,
    #[define((uniform(-9..=9), uniform(1..=9)), via = |(n, d): (i64, i64)| Ratio(n, d))]
    pair: Ratio,
    #[define((pattern(regex = "[a-z]"), uniform(0..3)), via = str::repeat)] text: &str,
    #[define((uniform(0..=9), uniform(1..=9)), null_probability = 0.5, via = Ratio)] none: Option<
        Ratio,
    >,
) -> (i64, i64, i64, i64, String, Option<i64>) {
    let sum = |it: &Ratio| it.0 * 100 + it.1;
    (
        sum(&closure),
        sum(path),
        sum(&open),
        sum(&pair),
        text.to_owned(),
        none.as_ref().map(sum),
    )
}

#[ensemble_test(size = 20)]
fn of_elements(
    #[define([uniform(0..=9), via = Money::from_cents; 0..=3])] owned: Vec<Money>,
    #[define([pattern(regex = "[0-9]{2}"), parse; 0..=3])] lent: &[Money],
    #[define([uniform(0..=9), via = Money; 3])] array: [Money; 3],
    #[define([uniform(-1..=99), via = Money::positive; 1..=3])] refused: Vec<Money>,
    #[define([(uniform(0..=9), uniform(1..=9)), via = Ratio; 0..=2])] pairs: Vec<Ratio>,
    #[define([[uniform(0..=9), via = |n: i64| Money(n); 2]; 2])] nested: Vec<Vec<Money>>,
    #[define([uniform(0..=9), null_probability = 0.5, via = Money; 2])] nulls: Vec<Option<Money>>,
) -> [i64; 7] {
    let cents = |all: &[Money]| all.iter().map(|it| it.0).sum();
    [
        cents(&owned),
        cents(lent),
        cents(&array),
        cents(&refused),
        pairs.iter().map(|it| it.0 * it.1).sum(),
        nested.iter().map(|it| cents(it)).sum(),
        nulls.iter().flatten().map(|it| it.0).sum(),
    ]
}

#[ensemble_test(size = 20)]
fn of_values_of_a_tuple(
    #[define((uniform(-1..=9), via = Money::positive, any, pattern(regex = "[0-9]"), parse))]
    mixed: (Money, bool, Money),
    #[define([(uniform(0..=9), via = Money, any); 0..=2])] listed: Vec<(Money, bool)>,
    #[define(([uniform(0..=9), via = Money; 2], any))] lists: ([Money; 2], bool),
    #[define([uniform(0..=9), via = Money; 2], null_probability = 0.5)] none: Option<Vec<Money>>,
    #[define((uniform(0..=9), via = Money, any), null_probability = 0.5)] pair: Option<(
        Money,
        bool,
    )>,
) -> (i64, usize, i64, Option<usize>, Option<i64>) {
    let lists: i64 = lists.0.iter().map(|it| it.0).sum();
    let none = none.map(|it| it.len());
    let sum = mixed.0.0 + mixed.2.0;
    (sum, listed.len(), lists, none, pair.map(|it| it.0.0))
}

#[ensemble_test(size = 50, require("> 0", at_least = 1.0))]
fn whose_inputs_are_what_is_required(
    #[define(uniform(-9..=50), via = |n: i64| u16::try_from(n - 1).map(|it| it + 1))] n: u16,
) -> u16 {
    n
}

#[ensemble_test(size = 20, threads = 3)]
fn beside_fixtures(
    #[fixture([1, 2, 3])] rates: &[i64],
    #[define(uniform(-2..=50), via = Money::positive)] total: &mut Money,
    #[fixture(each_row, String::new())] log: &mut String,
) -> i64 {
    log.push('x');
    total.0 += rates.iter().sum::<i64>();
    total.0
}

#[test]
fn a_function_that_takes_rows_apart_can_refuse_them() {
    tdg::EnsembleTest::new("apart")
        .definition("tests/definitions/orders.json")
        .size(20)
        .run_rows(|row| {
            let quantity: i64 = row.get("quantity")?;
            Ok(match Money::positive(quantity - 3) {
                Ok(money) => tdg::Outcome::of(&money.0),
                Err(error) => tdg::Outcome::not_an_input(&error),
            })
        });
}

/// Returns the report of a failing test.
fn report(test: fn()) -> String {
    *catch_unwind(test)
        .unwrap_err()
        .downcast::<String>()
        .unwrap()
}

#[test]
fn a_panic_of_a_maker_is_reported_as_such() {
    insta::assert_snapshot!(report(whose_maker_panics), @r#"
    whose_maker_panics: 5 of 5 cases panicked

      5 cases at tdg/tests/via.rs:38:9:
        `via = Money::checked`, which makes `total`, panicked: no zero
        case  total
           0      0
           1      0
           2      0
           3      0
           4      0

      run one:  TDG_CASES=0 cargo test -p tdg whose_maker_panics
      record:   panics = "record" in the attribute, if these rows should make it panic
    "#);
}

/// A type without `Debug`.
struct Opaque(i64);

#[ensemble_test(size = 3, against = against::of_all_kinds)]
#[ignore = "it fails"]
fn whose_values_are_shown(
    #[define(uniform(10..=99), via = Money::from_cents)] total: Money,
    #[define([uniform(1..=9), via = Money; 3])] parts: &[Money],
    #[define((uniform(-9..=9), uniform(1..=9)), via = Ratio::new)] rate: &Ratio,
    #[define(uniform(0..=9), via = Opaque)] opaque: Opaque,
    #[define(pattern(regex = "[a-z]{3}"), via = shout)] text: &str,
) -> i64 {
    total.0 + parts[0].0 + rate.0 + opaque.0 + i64::from(text.is_empty())
}

#[test]
fn a_report_shows_what_was_made_of_its_first_row() {
    insta::assert_snapshot!(report(whose_values_are_shown), @r#"
    whose_values_are_shown: 3 of 3 cases differ from against::of_all_kinds

      case  total  parts        rate       opaque  text   expected  actual  error
         2     38  [3] 6, 1, 8  [2] 9, 7        8  "xbs"        58      61     +3  +5.2 %
         1     76  [3] 1, 7, 2  [2] -3, 8       1  "uot"        77      75     −2  −2.6 %
         0     51  [3] 4, 2, 3  [2] 8, 9        2  "ani"        64      65     +1  +1.6 %
      largest error 3 (5.2 %), median 2

      made of case 2: total = Money(38), parts = [Money(6), Money(1), Money(8)], rate = Ratio(9, 7), text = "XBS"

      run one:   TDG_CASES=2 cargo test -p tdg whose_values_are_shown
      expected:  the output of against::of_all_kinds; nothing to accept without a benchmark
    "#);
}

#[test]
fn few_inputs_are_not_recorded() {
    insta::assert_snapshot!(report(of_too_few_inputs), @r#"
    of_too_few_inputs: invalid: this run can't be compared

      only 0 of 10 rows are inputs; row 0 is not: -1 is below zero

      draw values that `via` or `parse` accepts, so that at least half of the rows are inputs; the ones that it refuses by
      chance are recorded as such
    "#);
    let against = report(against_of_too_few_inputs);
    assert!(
        against.contains("only 0 of 10 rows are inputs"),
        "{against}"
    );
}

#[test]
fn a_null_that_no_maker_takes_is_found() {
    insta::assert_snapshot!(report(whose_maker_takes_no_null), @"
    whose_maker_takes_no_null: invalid: this run can't be compared

      feature `total` (INTEGER) has nulls, so take an Option
    ");
}
