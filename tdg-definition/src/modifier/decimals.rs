//! Floats rounded to a number of decimals.

use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::{Faulty, Fields, kind};
use crate::json::Value;
use crate::value::Scalar;

pub(super) const NAME: &str = "decimals";

/// The number of digits that a float can hold.
const LARGEST: i64 = 15;

/// 2⁵², above which all floats are integers.
const INTEGERS: f64 = 4_503_599_627_370_496.0;

/// Rounds each value to the float nearest to a decimal number with `digits` decimals.
///
/// With `s = 10^digits` and `y = |x| × s`: x is unchanged if y is at least 2⁵³, since floats of
/// that size are no closer to each other than such decimals. Otherwise it becomes `k ÷ s`, with the
/// sign of x, where k is y rounded to an integer, ties to even. k and s are exact, so the quotient
/// is the float nearest to the decimal number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decimals {
    digits: u8,
}

/// Reads the member; `None` if it's left out.
pub(super) fn read(
    fields: &mut Fields<'_>,
    feature_type: Option<FeatureType>,
) -> Result<Option<Decimals>, Faulty> {
    let Some(value) = fields.optional(NAME) else {
        return Ok(None);
    };
    let value = fields.unrounded(NAME, value).ok_or(Faulty)?;
    let digits = value
        .as_i64()
        .filter(|digits| (0..=LARGEST).contains(digits));
    let Some(digits) = digits.and_then(|digits| u8::try_from(digits).ok()) else {
        let message = format!(
            "must be an integer from 0 to {LARGEST}, but is {}",
            kind(value)
        );
        fields.fault(NAME, message);
        return Err(Faulty);
    };
    if let Some(other) = feature_type.filter(|&of| of != FeatureType::Float) {
        let message = format!("applies to FLOAT values, but this feature is {other}; remove it");
        fields.fault(NAME, message);
        return Err(Faulty);
    }
    Ok(Some(Decimals { digits }))
}

impl Decimals {
    pub(super) fn digits(self) -> u8 {
        self.digits
    }

    pub(super) fn to_value(self) -> Value {
        Value::from(i64::from(self.digits))
    }

    /// Returns true if rounding doesn't change the value.
    pub(super) fn holds(self, value: &Scalar) -> bool {
        match value {
            Scalar::Float(value) => rounded(*value, scale(self.digits)) == *value,
            _ => true,
        }
    }

    /// Rounds floats; other cells are unchanged.
    pub(super) fn round(self, cells: &mut Cells) {
        let Cells::Float(values) = cells else {
            return;
        };
        let scale = scale(self.digits);
        // Indexed, because iterators are slow in unoptimized builds.
        let mut i = 0;
        while i < values.len() {
            values[i] = rounded(values[i], scale);
            i += 1;
        }
    }
}

/// Returns 10 to the power of `digits`.
pub(crate) fn scale(digits: u8) -> f64 {
    // Exact up to 10²².
    (0..digits).fold(1.0, |scale, _| scale * 10.0)
}

fn rounded(value: f64, scale: f64) -> f64 {
    let scaled = value.abs() * scale;
    if scaled >= 2.0 * INTEGERS {
        return value;
    }
    let integer = if scaled < INTEGERS {
        // The sum has no bits for a fraction, so the addition rounds it away, ties to even.
        (scaled + INTEGERS) - INTEGERS
    } else {
        scaled
    };
    (integer / scale).copysign(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round(value: f64, digits: u8) -> f64 {
        let mut cells = Cells::Float(vec![value]);
        Decimals { digits }.round(&mut cells);
        match cells {
            Cells::Float(values) => values[0],
            _ => unreachable!(),
        }
    }

    #[test]
    fn a_value_becomes_the_float_nearest_to_the_decimal_number() {
        assert_eq!(round(19.987_654, 2), 19.99);
        assert_eq!(round(-0.1 - 0.2, 1), -0.3);
        assert_eq!(round(1.0 / 3.0, 15), 0.333_333_333_333_333);
        assert_eq!(round(123_456.5, 0), 123_456.0);
    }

    #[test]
    fn ties_go_to_the_even_neighbour() {
        let rounded = [0.5, 1.5, 2.5, 3.5, -2.5].map(|value| round(value, 0));
        assert_eq!(rounded, [0.0, 2.0, 2.0, 4.0, -2.0]);
        assert_eq!([0.125, 0.375].map(|value| round(value, 2)), [0.12, 0.38]);
    }

    #[test]
    fn what_rounds_to_zero_keeps_its_sign() {
        assert_eq!(round(-0.004, 2).to_bits(), (-0.0_f64).to_bits());
        assert_eq!(round(0.004, 2).to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn values_too_large_to_have_such_decimals_stay() {
        for value in [
            f64::MAX,
            f64::MIN,
            1e300,
            9_007_199_254_740_993.0,
            12.3 * 1e15,
        ] {
            for digits in [0, 2, 15] {
                assert_eq!(round(value, digits), value);
            }
        }
        assert_eq!(round(1.123_456_789_012_345_7, 15), 1.123_456_789_012_346);
    }

    proptest! {
        #[test]
        fn the_result_is_the_text_with_that_many_decimals(value in -1e6..1e6, digits in 0..=9_u8) {
            let rounded = round(value, digits);
            let text = format!("{rounded:.*}", usize::from(digits));
            prop_assert_eq!(text.parse::<f64>().unwrap(), rounded);
            let half: f64 = format!("0.5e-{digits}").parse().unwrap();
            prop_assert!((rounded - value).abs() <= half * (1.0 + 1e-6) + 1e-10);
        }

        #[test]
        fn every_finite_value_becomes_a_finite_one(value in any::<f64>().prop_filter("", |v| v.is_finite()), digits in 0..=15_u8) {
            prop_assert!(round(value, digits).is_finite());
        }
    }
}
