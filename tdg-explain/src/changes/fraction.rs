//! Constants that no short decimal number is, but a fraction: 2/3, or 50/51, which is 1/1.02.

use tdg_definition::json::Number;

use crate::threshold::{between_floats, digits};

/// The largest denominator.
const DENOMINATOR: u32 = 3600;
/// A number with fewer digits is shorter than its fraction.
const DIGITS: usize = 7;
/// With a denominator up to this, a fraction is read at a glance.
const SIMPLE: u32 = 12;
/// A divisor has at most so many digits.
const SHORT: usize = 4;
/// How much it may be off, relative to itself.
const FLOAT: f64 = 1e-14;

/// The numerator and denominator of the simplest fraction from `low` to `high`, none if it is a
/// whole number.
fn between(low: f64, high: f64) -> Option<(f64, u32)> {
    (2..=DENOMINATOR).find_map(|denominator| {
        let of = f64::from(denominator);
        let numerator = (low / 2.0 + high / 2.0) * of;
        let numerator = numerator.round();
        let is_inside = (low..=high).contains(&(numerator / of));
        (is_inside && numerator != 0.0).then_some((numerator, denominator))
    })
}

/// The fraction of a range, if the shortest decimal number of the range is long.
pub(super) fn instead_of(decimal: f64, low: f64, high: f64) -> f64 {
    let fraction = || between(low, high).map(|(numerator, of)| numerator / f64::from(of));
    match digits(Number::from(decimal)) < DIGITS {
        true => decimal,
        false => fraction().unwrap_or(decimal),
    }
}

/// The number by which it is plainer to divide: 1.02 for 50/51, but not 1.5 for 2/3.
pub(super) fn divisor(factor: f64) -> Option<f64> {
    if digits(Number::from(factor)) < DIGITS {
        return None;
    }
    let inverse = 1.0 / factor;
    let margin = inverse.abs() * FLOAT;
    let divisor = between_floats(inverse - margin, inverse + margin);
    let (_, denominator) = between(factor, factor)?;
    let is_plain = denominator > SIMPLE && digits(Number::from(divisor)) <= SHORT;
    is_plain.then_some(divisor)
}

/// `2/3`, if a number is a fraction and its decimals are many.
pub(super) fn written(number: f64) -> Option<String> {
    if digits(Number::from(number)) < DIGITS {
        return None;
    }
    let (numerator, denominator) = between(number, number)?;
    Some(format!("{numerator}/{denominator}"))
}
