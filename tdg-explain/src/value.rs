//! Values of attributes, and arithmetic on numbers.

use tdg_definition::json::Number;

/// A value that an attribute can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AttributeValue<'t> {
    Number(Number),
    Text(&'t str),
}

impl<'t> AttributeValue<'t> {
    pub(super) fn text(self) -> Option<&'t str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number(_) => None,
        }
    }
}

/// Returns the difference of two numbers, exact for integers.
pub(super) fn difference(left: Number, right: Number) -> Number {
    match (left.as_i128(), right.as_i128()) {
        (Some(first), Some(second)) if !left.is_float() && !right.is_float() => {
            first.saturating_sub(second).into()
        }
        _ => rounded(left.as_f64() - right.as_f64()),
    }
}

/// Returns the sum of two numbers, exact for integers.
pub(super) fn sum(left: Number, right: Number) -> Number {
    match (left.as_i128(), right.as_i128()) {
        (Some(first), Some(second)) if !left.is_float() && !right.is_float() => {
            first.saturating_add(second).into()
        }
        _ => rounded(left.as_f64() + right.as_f64()),
    }
}

/// Removes the noise of binary fractions from sums of decimal ones.
pub(super) fn rounded(float: f64) -> Number {
    format!("{float:.12e}").parse().unwrap_or(float).into()
}
