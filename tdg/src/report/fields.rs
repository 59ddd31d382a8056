//! How fields differ over all cases.

use std::cmp::Reverse;

use tdg_definition::json::Pointer;

use super::amount::{amount, percent};
use super::text::{escape, shorten};
use crate::compare::Comparison;
use crate::explain::fields::{Found, by_field, cases};

/// How one field differs in all the cases that changed.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldSummary {
    /// The field, `*` standing for any element of an array; the root if the output itself is the
    /// value.
    pub pointer: Pointer,
    /// In how many cases it differs.
    pub cases: usize,
    /// The largest absolute error, and what it is relative to the expected number.
    pub largest: Option<(f64, Option<f64>)>,
    /// The median of the absolute errors.
    pub median: Option<f64>,
}

impl FieldSummary {
    /// The field as a line names it.
    pub(super) fn name(&self) -> String {
        if self.pointer.is_root() {
            return "output".to_owned();
        }
        shorten(&escape(&self.pointer.to_string()), 40)
    }

    /// The largest and the median error, where the field is a number.
    pub(super) fn errors(&self) -> Option<String> {
        let (largest, relative) = self.largest?;
        let mut text = format!("largest error {}", amount(largest));
        if let Some(relative) = relative {
            text.push_str(&format!(" ({})", percent(relative.abs())));
        }
        // The same but for the rounding of a subtraction is the same.
        let median = self.median.map(amount);
        if let Some(median) = median.filter(|median| *median != amount(largest)) {
            text.push_str(&format!(", median {median}"));
        }
        Some(text)
    }
}

/// The fields that differ, by what `field` makes of their pointers; those of most cases first.
pub(super) fn summaries(
    differing: &[(usize, Comparison)],
    field: impl Fn(&Pointer) -> Pointer,
) -> Vec<FieldSummary> {
    let fields = by_field(differing, field);
    let summaries = fields
        .into_iter()
        .map(|(pointer, found)| summary(pointer, &found));
    let mut summaries: Vec<FieldSummary> = summaries.collect();
    summaries.sort_by_key(|summary| Reverse(summary.cases));
    summaries
}

fn summary(pointer: Pointer, found: &[Found<'_>]) -> FieldSummary {
    let mut errors: Vec<(f64, Option<f64>)> = found
        .iter()
        .filter_map(|(_, difference)| {
            Some((difference.absolute_error()?, difference.relative_error()))
        })
        .collect();
    errors.sort_by(|(left, _), (right, _)| left.total_cmp(right));
    let middle = errors.len() / 2;
    let median = match errors.len() {
        0 => None,
        length if length % 2 == 1 => Some(errors[middle].0),
        _ => Some(errors[middle - 1].0 / 2.0 + errors[middle].0 / 2.0),
    };
    FieldSummary {
        pointer,
        cases: cases(found),
        largest: largest(&errors),
        median,
    }
}

/// The largest of sorted errors. Subtractions round, so of those that are as good as equal it is the
/// one that is most of what was expected.
fn largest(errors: &[(f64, Option<f64>)]) -> Option<(f64, Option<f64>)> {
    let (largest, _) = errors.last()?;
    let share = |relative: Option<f64>| relative.map_or(0.0, f64::abs);
    errors
        .iter()
        .filter(|(error, _)| *error >= largest * (1.0 - 1e-9))
        .max_by(|(_, left), (_, right)| share(*left).total_cmp(&share(*right)))
        .copied()
}
