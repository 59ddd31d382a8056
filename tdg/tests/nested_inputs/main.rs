//! Orders with lines, operations of a stack, shares of money, lists: findings and explanations for
//! such inputs.

#![allow(clippy::unwrap_used)] // Covers helpers, whose failure fails the test.

mod lists;

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tdg::{Define, EnsembleTest};

/// Returns the report of a wrong function that is compared with the correct one.
fn report<I: Define + DeserializeOwned, O: Serialize>(
    test: EnsembleTest,
    function: impl Fn(I, bool) -> O + Sync,
) -> String {
    let test = test.definition(I::definition());
    let run = || test.run_against(|row| function(row, false), |row| function(row, true));
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(()) => "it passes".to_owned(),
        Err(report) => *report.downcast::<String>().unwrap(),
    }
}

mod order {
    use super::*;

    #[derive(Define, Deserialize)]
    struct Order {
        #[define(any)]
        member: bool,
        #[define(length(1..=8))]
        lines: Vec<Line>,
        payment: Payment,
    }

    #[derive(Define, Deserialize)]
    struct Line {
        #[define(uniform(1..=20))]
        quantity: u32,
        #[define(lognormal(mu = 3.0, sigma = 0.5), decimals = 2)]
        price: f64,
    }

    #[derive(Define, Deserialize)]
    enum Payment {
        #[define(probability = 0.6)]
        Card(#[define(pattern(regex = "\\d{16}"))] String),
        #[define(probability = 0.3)]
        Invoice {
            #[define(uniform(7..=60))]
            days: u16,
        },
        #[define(probability = 0.1)]
        Cash,
    }

    #[derive(Serialize)]
    struct Refused(String);

    fn total(order: &Order, days_for_free: u16) -> Result<f64, Refused> {
        let lines = order.lines.iter();
        let sum: f64 = lines
            .map(|line| line.price * f64::from(line.quantity))
            .sum();
        let sum = if order.member { sum * 0.95 } else { sum };
        match &order.payment {
            Payment::Card(number) if number.ends_with('0') => Err(Refused(number.clone())),
            Payment::Invoice { days } if *days > days_for_free => Ok(sum * 1.02),
            Payment::Card(_) | Payment::Invoice { .. } | Payment::Cash => Ok(sum),
        }
    }

    #[test]
    fn an_invoice_without_its_surcharge_is_found_and_explained() {
        let test = EnsembleTest::new("order").size(500);
        let report = report(test, |order: Order, is_right| match is_right {
            true => total(&order, 30),
            false => total(&order, u16::MAX),
        });
        insta::assert_snapshot!(report);
    }
}

mod operations {
    use super::*;

    #[derive(Define, Deserialize)]
    struct Session {
        #[define(length(0..=30))]
        operations: Vec<Operation>,
    }

    #[derive(Define, Deserialize)]
    enum Operation {
        #[define(probability = 0.5)]
        Push(#[define(uniform(0..100))] i32),
        #[define(probability = 0.2)]
        Pop,
        #[define(probability = 0.1)]
        Clear,
        #[define(probability = 0.2)]
        Swap(
            #[define(uniform(0..10))] usize,
            #[define(uniform(0..10))] usize,
        ),
    }

    #[derive(Default)]
    struct Stack(Vec<i32>);

    impl Stack {
        fn apply(&mut self, operation: &Operation, clears: bool) -> Option<i32> {
            match *operation {
                Operation::Push(value) => self.0.push(value),
                Operation::Pop => return self.0.pop(),
                Operation::Clear if clears => self.0.clear(),
                Operation::Clear => {}
                Operation::Swap(one, other) if one.max(other) < self.0.len() => {
                    self.0.swap(one, other);
                }
                Operation::Swap(..) => {}
            }
            self.0.last().copied()
        }
    }

    fn trace(session: &Session, clears: bool) -> Vec<Option<i32>> {
        let mut stack = Stack::default();
        let operations = session.operations.iter();
        operations.map(|it| stack.apply(it, clears)).collect()
    }

    #[test]
    fn a_stack_that_forgets_to_clear_is_found_by_its_trace() {
        let test = EnsembleTest::new("stack").size(60);
        let report = report(test, |session: Session, is_right| trace(&session, is_right));
        insta::assert_snapshot!(report);
    }
}

mod shares {
    use super::*;

    #[derive(Define)]
    struct Split {
        #[define(uniform(0..=100_000), via = Money::from_cents)]
        total: Money,
        #[define([uniform(1..=9); 1..=6])]
        weights: Vec<u32>,
        rounding: Rounding,
    }

    #[derive(Define, Deserialize)]
    enum Rounding {
        Up,
        Down,
        HalfEven,
    }

    #[derive(Clone, Copy, Serialize)]
    struct Money(i64);

    impl Money {
        fn from_cents(cents: i64) -> Self {
            Self(cents)
        }

        /// The rest after rounding goes to the last part.
        fn split(self, weights: &[u32], round: fn(f64) -> f64, gives_rest: bool) -> Vec<Self> {
            let total: u32 = weights.iter().sum();
            let part = |weight: &u32| {
                let share = f64::from(*weight) / f64::from(total);
                Self(round(self.0 as f64 * share) as i64)
            };
            let mut parts: Vec<Self> = weights.iter().map(part).collect();
            let rest = self.0 - parts.iter().map(|part| part.0).sum::<i64>();
            if let Some(last) = parts.last_mut().filter(|_| gives_rest) {
                last.0 += rest;
            }
            parts
        }
    }

    fn split(split: &Split, gives_rest: bool) -> Vec<Money> {
        let round = match split.rounding {
            Rounding::Up => f64::ceil,
            Rounding::Down => f64::floor,
            Rounding::HalfEven => f64::round_ties_even,
        };
        split.total.split(&split.weights, round, gives_rest)
    }

    #[test]
    fn shares_that_lose_the_rest_are_found_and_explained() {
        let test = EnsembleTest::new("split").size(400);
        let report = report(test, |row: Split, is_right| {
            split(&row, is_right || !matches!(row.rounding, Rounding::Up))
        });
        insta::assert_snapshot!(report);
    }
}

mod values_in_values {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Define, Deserialize, Serialize)]
    #[define(depth = 4, leaves = 40)]
    #[serde(untagged)]
    enum Json {
        Null,
        Bool(#[define(any)] bool),
        Number(#[define(any(-1e6..=1e6))] f64),
        Text(#[define(any)] String),
        Array(#[define(length(0..=5))] Vec<Json>),
        Object(#[define({pattern(regex = "[a-z]{1,3}") => Json; 0..=4})] BTreeMap<String, Json>),
    }

    #[derive(Define, Deserialize)]
    struct Document {
        value: Json,
    }

    fn pretty(value: &Json, separator: &str) -> String {
        let all = |parts: Vec<String>| parts.join(separator);
        match value {
            Json::Null => "null".to_owned(),
            Json::Bool(value) => value.to_string(),
            Json::Number(value) => value.to_string(),
            Json::Text(text) => format!("{text:?}"),
            Json::Array(values) => {
                let values = values.iter().map(|it| pretty(it, separator));
                format!("[{}]", all(values.collect()))
            }
            Json::Object(values) => {
                let entry =
                    |(key, value): (&String, &Json)| format!("{key}: {}", pretty(value, ", "));
                format!("{{{}}}", all(values.iter().map(entry).collect()))
            }
        }
    }

    #[test]
    fn an_array_without_separators_is_found_in_a_value_within_values() {
        let test = EnsembleTest::new("pretty").size(400);
        let report = report(test, |document: Document, is_right| match is_right {
            true => pretty(&document.value, ", "),
            false => pretty(&document.value, ""),
        });
        insta::assert_snapshot!(report);
    }
}

mod expressions {
    use super::*;

    /// An expression that is so deep and wide that no search may try all of its places.
    #[derive(Define, Deserialize)]
    #[define(depth = 8, leaves = 64)]
    enum Expression {
        Number(#[define(uniform(0..=9))] i64),
        Negative(Box<Expression>),
        Sum(Box<Expression>, Box<Expression>),
        Difference(Box<Expression>, Box<Expression>),
        Product(Box<Expression>, Box<Expression>),
        Largest(#[define(length(0..=3))] Vec<Expression>),
        Either {
            one: Box<Expression>,
            #[define(null_probability = 0.5)]
            other: Option<Box<Expression>>,
        },
    }

    #[derive(Define, Deserialize)]
    struct Calculation {
        expression: Expression,
    }

    fn value(expression: &Expression, negates: bool) -> i64 {
        let value = |it| value(it, negates);
        match expression {
            Expression::Number(number) => *number,
            Expression::Negative(of) if negates => value(of).wrapping_neg(),
            Expression::Negative(of) => value(of),
            Expression::Sum(one, other) => value(one).wrapping_add(value(other)),
            Expression::Difference(one, other) => value(one).wrapping_sub(value(other)),
            Expression::Product(one, other) => value(one).wrapping_mul(value(other)),
            Expression::Largest(all) => all.iter().map(value).max().unwrap_or(0),
            Expression::Either { one, other } => value(other.as_ref().unwrap_or(one)),
        }
    }

    #[test]
    fn a_sign_that_is_lost_is_found_in_wide_and_deep_values() {
        let test = EnsembleTest::new("value").size(300);
        let report = report(test, |calculation: Calculation, is_right| {
            value(&calculation.expression, is_right)
        });
        insta::assert_snapshot!(report);
    }
}
