//! The distance between two numbers.

use tdg_definition::json::Number;

/// `left − right`. Two integers are subtracted exactly: as floats, 2⁵³ + 1 − 2⁵³ would be 0.
pub(super) fn difference(left: Number, right: Number) -> f64 {
    match (left.as_i128(), right.as_i128()) {
        (Some(left), Some(right)) => match left.checked_sub(right) {
            Some(difference) => difference as f64,
            None => left as f64 - right as f64,
        },
        _ => left.as_f64() - right.as_f64(),
    }
}

/// The number of floats from one number to the other, where both are finite floats; an integer
/// counts as the float that it equals.
pub(super) fn ulps(left: Number, right: Number) -> Option<u64> {
    if !left.is_float() && !right.is_float() {
        return None;
    }
    let (left, right) = (exact_float(left)?, exact_float(right)?);
    Some(position(left).abs_diff(position(right)))
}

fn exact_float(number: Number) -> Option<f64> {
    let float = number.as_f64();
    (float.is_finite() && Number::from(float) == number).then_some(float)
}

/// The float's position in the order of all floats; 0 for both zeros.
fn position(float: f64) -> i64 {
    let bits = float.to_bits() as i64;
    if bits < 0 { i64::MIN - bits } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_beyond_the_floats_are_subtracted_exactly() {
        let large = 1_i128 << 100;
        assert_eq!(difference((large + 1).into(), large.into()), 1.0);
        assert_eq!(difference((large + 1).into(), (large as f64).into()), 1.0);
        assert_eq!(
            difference(i128::MAX.into(), i128::MIN.into()),
            u128::MAX as f64
        );
    }

    #[test]
    fn ulps_are_counted_across_zero() {
        assert_eq!(ulps(1.0.into(), 1.0_f64.next_up().into()), Some(1));
        assert_eq!(ulps(0.0.into(), (-0.0).into()), Some(0));
        assert_eq!(ulps((-5e-324).into(), 5e-324.into()), Some(2));
        assert_eq!(ulps(1.into(), 1.0_f64.next_down().into()), Some(1));
    }

    #[test]
    fn what_is_no_finite_float_has_no_ulps() {
        assert_eq!(ulps(1.into(), 2.into()), None);
        assert_eq!(ulps(f64::NAN.into(), 1.0.into()), None);
        assert_eq!(ulps(f64::INFINITY.into(), f64::MAX.into()), None);
        assert_eq!(
            ulps(
                9_007_199_254_740_993_i64.into(),
                9_007_199_254_740_992.0.into()
            ),
            None
        );
    }
}
