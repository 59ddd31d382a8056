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

/// Returns the distance in ULP of two finite floats. An integer counts as the float that it equals.
/// Two `f32`s are measured in `f32`s.
pub(super) fn ulps(left: Number, right: Number) -> Option<u64> {
    if !left.is_float() && !right.is_float() {
        return None;
    }
    let has_f32 = left.as_f32().or(right.as_f32()).is_some();
    if let (true, Some(left), Some(right)) = (has_f32, exact_f32(left), exact_f32(right)) {
        return Some(position_f32(left).abs_diff(position_f32(right)));
    }
    let (left, right) = (exact_float(left)?, exact_float(right)?);
    Some(position(left).abs_diff(position(right)))
}

fn exact_f32(number: Number) -> Option<f32> {
    match number.is_float() {
        true => number.as_f32(),
        false => Some(number.as_f64() as f32).filter(|float| Number::from(*float) == number),
    }
}

fn exact_float(number: Number) -> Option<f64> {
    let float = number.as_f64();
    (float.is_finite() && Number::from(float) == number).then_some(float)
}

/// Returns the float's position in the order of all floats; 0 for both zeros.
fn position(float: f64) -> i64 {
    let bits = float.to_bits() as i64;
    if bits < 0 { i64::MIN - bits } else { bits }
}

/// Returns the position among the `f32`s.
fn position_f32(float: f32) -> i64 {
    let bits = i64::from(float.to_bits() as i32);
    if bits < 0 {
        i64::from(i32::MIN) - bits
    } else {
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ulps_of_two_f32s_are_counted_in_these() {
        let next = |float: f32| f32::from_bits(float.to_bits() + 1);
        for float in [1.0, 0.1, 1e-45, 3e38, f32::MIN_POSITIVE] {
            assert_eq!(ulps(float.into(), next(float).into()), Some(1), "{float}");
        }
        assert_eq!(ulps((-1e-45_f32).into(), 1e-45_f32.into()), Some(2));
        assert_eq!(ulps(0.0_f32.into(), (-0.0_f32).into()), Some(0));
        assert_eq!(ulps(1.into(), next(1.0).into()), Some(1));
        assert_eq!(ulps(f32::NAN.into(), 1.0_f32.into()), None);
    }

    #[test]
    fn those_of_an_f32_and_an_f64_are_counted_in_f64s() {
        let single = 0.1_f32;
        assert_eq!(ulps(single.into(), 0.1_f64.next_up().into()), Some(1));
        assert_eq!(
            ulps(0.1_f64.into(), 0.10000001_f64.into()),
            ulps(single.into(), 0.10000001_f64.into())
        );
    }

    #[test]
    fn integers_too_large_for_floats_are_subtracted_exactly() {
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
    fn non_finite_floats_have_no_ulps() {
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
