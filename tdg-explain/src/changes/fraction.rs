//! Constants that are fractions rather than short decimals: 2/3, or 50/51, which is 1/1.02.

use tdg_definition::json::Number;

use crate::threshold::{between_floats, digits};

/// The largest denominator.
const DENOMINATOR: u32 = 3600;
/// Numerators are below this: a longer fraction isn't plainer than a decimal.
const NUMERATOR: f64 = 10_000.0;
/// A number with fewer digits is shorter than its fraction.
const DIGITS: usize = 7;
/// Fractions with a denominator up to this are easy to read.
const SIMPLE: u32 = 12;
/// The maximum number of digits of a divisor.
const SHORT: usize = 4;
/// The maximum relative error of a divisor.
const FLOAT: f64 = 1e-14;

/// Returns the numerator and denominator of the simplest fraction from `low` to `high`.
fn between(low: f64, high: f64) -> Option<(f64, u32)> {
    (1..=DENOMINATOR).find_map(|denominator| {
        let of = f64::from(denominator);
        let numerator = (low / 2.0 + high / 2.0) * of;
        let numerator = numerator.round();
        let is_inside = (low..=high).contains(&(numerator / of));
        let is_short = (1.0..NUMERATOR).contains(&numerator.abs());
        (is_inside && is_short).then_some((numerator, denominator))
    })
}

/// Returns a fraction in the range in place of a long decimal.
pub(super) fn instead_of(decimal: f64, low: f64, high: f64) -> f64 {
    let fraction = || between(low, high).map(|(numerator, of)| numerator / f64::from(of));
    match digits(Number::from(decimal)) < DIGITS {
        true => decimal,
        false => fraction().unwrap_or(decimal),
    }
}

/// Returns the divisor that is plainer than a factor: 1.02 for 50/51, but none for 2/3.
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

/// Writes `2/3` for a number that is a fraction and a long decimal.
pub(super) fn written(number: f64) -> Option<String> {
    if digits(Number::from(number)) < DIGITS {
        return None;
    }
    let (numerator, denominator) = between(number, number).filter(|(_, of)| *of > 1)?;
    Some(format!("{numerator}/{denominator}"))
}
