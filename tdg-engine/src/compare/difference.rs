//! A field in which an output differs from the expected one.

use std::cmp::Ordering;

use tdg_definition::json::{Number, Pointer, Value};

use super::{LAST_BITS, number};

/// A field in which an output differs from the expected one.
///
/// An object or array that only one side has is one difference at its place, not one for each field
/// in it. An array with another length is one difference at the array's place, because after an
/// insertion, all later elements would differ without being the reason. In an unordered array, each
/// element without a partner is a difference.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDifference {
    /// The field's place in the output; the root if the output is a single value.
    pub pointer: Pointer,
    /// The benchmark's value, or `None` without such a field.
    pub expected: Option<Value>,
    /// The function's value, or `None` without such a field.
    pub actual: Option<Value>,
}

impl FieldDifference {
    /// Returns `|actual − expected|` of two finite numbers, in the output's unit.
    pub fn absolute_error(&self) -> Option<f64> {
        self.signed_error().map(f64::abs)
    }

    /// Returns `(actual − expected) / |expected|` of two finite numbers: negative if the output
    /// decreased. `None` if 0 was expected.
    pub fn relative_error(&self) -> Option<f64> {
        let (expected, _) = self.numbers()?;
        relative_to(expected, self.signed_error()?)
    }

    /// Returns the distance in ULP between two finite floats.
    pub fn ulps(&self) -> Option<u64> {
        let (expected, actual) = self.numbers()?;
        number::ulps(expected, actual)
    }

    /// Returns true for floats that differ only in their last bits.
    pub fn is_in_last_bits(&self) -> bool {
        self.ulps().is_some_and(|ulps| ulps <= LAST_BITS)
    }

    /// Returns `actual − expected` of two finite numbers, in the output's unit.
    pub fn signed_error(&self) -> Option<f64> {
        let (expected, actual) = self.numbers()?;
        signed_error(expected, actual)
    }

    /// Returns the severity, which ranks the difference among others.
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

/// The rank of a difference among others; the greatest is the worst.
///
/// Differences that aren't between two finite numbers rank above all errors of numbers. These are
/// ordered by relative error, then by absolute error. Any error is infinite relative to 0.
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
