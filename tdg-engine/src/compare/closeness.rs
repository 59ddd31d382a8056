//! Floats that differ only in their last bits.

use tdg_definition::Tolerance;
use tdg_definition::json::Number;

use super::number::{difference, ulps};

/// Floats at most this many ULP apart differ only in their last bits, because of the math library
/// or the order of additions.
pub const LAST_BITS: u64 = 8;

/// The distances between the numbers of some differences, all of them finite floats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closeness {
    /// The largest distance in ULP.
    pub ulps: u64,
    /// The largest error relative to the larger number, among normal floats.
    rel: f64,
    /// The largest error among subnormal floats, where relative errors mean little.
    abs: f64,
}

impl Closeness {
    pub(super) fn between(expected: Number, actual: Number) -> Option<Self> {
        let ulps = ulps(expected, actual)?;
        let distance = difference(actual, expected).abs();
        let magnitude = expected.as_f64().abs().max(actual.as_f64().abs());
        let (rel, abs) = if magnitude.is_normal() {
            (distance / magnitude, 0.0)
        } else {
            (0.0, distance)
        };
        Some(Self { ulps, rel, abs })
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            ulps: self.ulps.max(other.ulps),
            rel: self.rel.max(other.rel),
            abs: self.abs.max(other.abs),
        }
    }

    /// Returns a tolerance in round numbers that lets all differences pass.
    pub fn tolerance(&self) -> Tolerance {
        Tolerance::rel(power_of_ten_above(self.rel)).or_abs(power_of_ten_above(self.abs))
    }
}

/// Returns the first power of ten above a number, or 0 for 0. It is strictly greater, so that
/// rounding in a comparison at the limit doesn't matter.
fn power_of_ten_above(number: f64) -> f64 {
    if number == 0.0 {
        return 0.0;
    }
    let digits = format!("{number:e}");
    let exponent = digits
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    exponent
        .and_then(|exponent| format!("1e{}", exponent + 1).parse().ok())
        .unwrap_or(f64::MAX)
}
