//! Summaries of differing fields over all cases.

use std::cmp::Reverse;

use tdg_definition::json::{Pointer, Value};
use tdg_definition::sort;

use super::by_field::{CaseDifference, by_field, cases};
use super::spread::Spread;
use super::table::histogram::Histogram;
use tdg_engine::compare::{DifferingCase, FieldDifference};
use tdg_engine::output::unmarked;
use tdg_engine::text::{amount, escape, percent, shorten, signed};

/// Fewer numbers are visible in the table.
const SPREAD_OUT: usize = 8;
/// The largest relative error is shown too if it is this many times the largest error's.
const APART: f64 = 2.0;

/// A summary of one field's differences over all changed cases.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldSummary {
    /// The field, with `*` for any element of an array; the root if the output itself is the value.
    pub pointer: Pointer,
    /// The number of cases in which it differs.
    pub cases: usize,
    /// The largest absolute error, and its ratio to the expected number.
    pub largest: Option<(f64, Option<f64>)>,
    /// The largest of all errors relative to the expected number.
    pub largest_relative: Option<f64>,
    /// The median of the absolute errors.
    pub median: Option<f64>,
    /// The distribution of the errors, decreases negative; `None` if they are few or all equal.
    pub errors: Option<Histogram>,
    /// The spread of the expected numbers of the differing cases.
    pub expected: Option<Spread>,
    /// The spread of the actual numbers of the differing cases.
    pub actual: Option<Spread>,
}

impl FieldSummary {
    /// Returns the name of the field in a line.
    pub(super) fn name(&self) -> String {
        shorten(&escape(&output_place(&self.pointer)), 40)
    }

    /// Returns the largest and the median error, if the field is a number.
    pub(super) fn size_of_errors(&self) -> Option<String> {
        let (largest, relative) = self.largest?;
        let mut text = format!("largest error {}", amount(largest));
        if let Some(relative) = relative {
            text.push_str(&format!(" ({})", percent(relative.abs())));
        }
        if let Some(other) = self.largest_relative
            && relative.is_none_or(|relative| other > APART * relative.abs())
        {
            text.push_str(&format!(", relative up to {}", percent(other)));
        }
        // The median is left out if it is the largest, apart from rounding.
        let median = self.median.map(amount);
        if let Some(median) = median.filter(|median| *median != amount(largest)) {
            text.push_str(&format!(", median {median}"));
        }
        Some(text)
    }

    /// Returns the distributions of errors and values, in a line each.
    pub(super) fn spread(&self) -> Vec<String> {
        let errors = self.errors.as_ref().map(|errors| {
            let end = |error: f64| match error {
                0.0 => "0".to_owned(),
                error => signed(error, amount),
            };
            format!(
                "errors {} [{}] {}",
                end(errors.least),
                errors.bars(),
                end(errors.most)
            )
        });
        let values = match (&self.expected, &self.actual) {
            (Some(expected), Some(actual)) => Some(format!(
                "expected {}; actual {}",
                expected.words(),
                actual.words()
            )),
            _ => None,
        };
        errors.into_iter().chain(values).collect()
    }
}

/// Returns the pointer of a field for readers, or `output`; `an element` of an output that is a
/// list.
pub(super) fn output_place(pointer: &Pointer) -> String {
    let place = unmarked(pointer);
    match place.segments().next() {
        None => "output".to_owned(),
        Some("*") if place.depth() == 1 => "an element".to_owned(),
        Some(_) => place.to_string(),
    }
}

/// Summarizes the differing fields, grouped by `field` of their pointers, most cases first.
pub(super) fn summaries(
    differing: &[DifferingCase],
    field: impl Fn(&Pointer) -> Pointer,
) -> Vec<FieldSummary> {
    let fields = by_field(differing, field);
    let summaries = fields
        .into_iter()
        .map(|(pointer, found)| summary(pointer, &found));
    let mut summaries: Vec<FieldSummary> = summaries.collect();
    sort::by_key(&mut summaries, |summary| Reverse(summary.cases));
    summaries
}

fn summary(pointer: Pointer, found: &[CaseDifference<'_>]) -> FieldSummary {
    let mut errors: Vec<(f64, Option<f64>)> = found
        .iter()
        .filter_map(|(_, difference)| {
            Some((difference.absolute_error()?, difference.relative_error()))
        })
        .collect();
    sort::by(&mut errors, |(left, _), (right, _)| left.total_cmp(right));
    let middle = errors.len() / 2;
    let median = match errors.len() {
        0 => None,
        length if length % 2 == 1 => Some(errors[middle].0),
        _ => Some(errors[middle - 1].0 / 2.0 + errors[middle].0 / 2.0),
    };
    let number = |value: &Option<Value>| value.as_ref().and_then(Value::as_f64);
    let expected = all(found, |difference| number(&difference.expected));
    let actual = all(found, |difference| number(&difference.actual));
    let signed = all(found, FieldDifference::signed_error);
    FieldSummary {
        errors: signed
            .and_then(|errors| Histogram::new(&errors))
            .filter(|errors| !errors.is_of_one()),
        expected: expected.and_then(|numbers| Spread::new(&numbers)),
        actual: actual.and_then(|numbers| Spread::new(&numbers)),
        pointer,
        cases: cases(found),
        largest: largest(&errors),
        largest_relative: errors
            .iter()
            .filter_map(|(_, relative)| relative.map(f64::abs))
            .reduce(f64::max),
        median,
    }
}

/// Returns a number for each difference, if all have one and there are enough.
fn all(
    found: &[CaseDifference<'_>],
    number: impl Fn(&FieldDifference) -> Option<f64>,
) -> Option<Vec<f64>> {
    let numbers = found.iter().map(|(_, difference)| number(difference));
    numbers
        .collect::<Option<Vec<f64>>>()
        .filter(|numbers| numbers.len() >= SPREAD_OUT)
}

/// Returns the largest of sorted errors. Subtractions round, so among nearly equal errors, the
/// largest relative one is chosen.
fn largest(errors: &[(f64, Option<f64>)]) -> Option<(f64, Option<f64>)> {
    let (largest, _) = errors.last()?;
    let share = |relative: Option<f64>| relative.map_or(0.0, f64::abs);
    errors
        .iter()
        .filter(|(error, _)| *error >= largest * (1.0 - 1e-9))
        .max_by(|(_, left), (_, right)| share(*left).total_cmp(&share(*right)))
        .copied()
}
