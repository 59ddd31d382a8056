//! One field in which an output is not the expected one.

use std::cmp::Ordering;

use tdg_definition::json::{Number, Pointer, Value};

use super::number;

/// One field in which an output is not the expected one.
///
/// Where a whole object or array stands on one side alone, that is one difference at its place, not
/// one for each field in it. An array of another length is one difference at the array's place:
/// after an insertion, all later elements would differ, and none of them would be the reason. Where
/// the policy says that order doesn't matter, each element without a partner is a difference.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDifference {
    /// Where in the output; the root if the output itself is the value.
    pub pointer: Pointer,
    /// What the benchmark has there; `None` if it has no such field.
    pub expected: Option<Value>,
    /// What the function gave there; `None` if it gave no such field.
    pub actual: Option<Value>,
}

impl FieldDifference {
    /// `|actual − expected|` of two finite numbers, in the output's unit.
    pub fn absolute_error(&self) -> Option<f64> {
        self.signed_error().map(f64::abs)
    }

    /// `(actual − expected) / |expected|` of two finite numbers: negative where the output has
    /// decreased. There is none where 0 was expected.
    pub fn relative_error(&self) -> Option<f64> {
        let (expected, _) = self.numbers()?;
        relative_to(expected, self.signed_error()?)
    }

    /// How many floats lie from the expected one to the actual one, both finite.
    pub fn ulps(&self) -> Option<u64> {
        let (expected, actual) = self.numbers()?;
        number::ulps(expected, actual)
    }

    /// `actual − expected` of two finite numbers, in the output's unit.
    pub fn signed_error(&self) -> Option<f64> {
        let (expected, actual) = self.numbers()?;
        signed_error(expected, actual)
    }

    /// How much the difference matters beside others.
    pub fn severity(&self) -> Severity {
        self.numbers()
            .map_or(Severity::OTHER_THAN_NUMBERS, |(expected, actual)| {
                Severity::of_numbers(expected, actual)
            })
    }

    fn numbers(&self) -> Option<(Number, Number)> {
        Some((
            self.expected.as_ref()?.as_number()?,
            self.actual.as_ref()?.as_number()?,
        ))
    }
}

fn signed_error(expected: Number, actual: Number) -> Option<f64> {
    let error = number::difference(actual, expected);
    error.is_finite().then_some(error)
}

fn relative_to(expected: Number, error: f64) -> Option<f64> {
    let baseline = expected.as_f64().abs();
    (baseline != 0.0).then(|| error / baseline)
}

/// How much a difference matters beside others; the greatest is the worst.
///
/// Where something else than two finite numbers differs comes before all errors of numbers; those
/// are ordered by relative error, then by absolute error. Any error is infinite relative to 0.
#[derive(Clone, Copy, Debug)]
pub struct Severity {
    relative: f64,
    absolute: f64,
}

impl Severity {
    pub(super) const OTHER_THAN_NUMBERS: Self = Self {
        relative: f64::INFINITY,
        absolute: f64::INFINITY,
    };

    pub(super) fn of_numbers(expected: Number, actual: Number) -> Self {
        match signed_error(expected, actual) {
            Some(error) => Self {
                relative: relative_to(expected, error).map_or(f64::INFINITY, f64::abs),
                absolute: error.abs(),
            },
            None => Self::OTHER_THAN_NUMBERS,
        }
    }
}

impl Ord for Severity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.relative
            .total_cmp(&other.relative)
            .then(self.absolute.total_cmp(&other.absolute))
    }
}

impl PartialOrd for Severity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Severity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Severity {}
