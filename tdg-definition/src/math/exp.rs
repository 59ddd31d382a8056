use super::ln::{LN_2_HIGH, LN_2_LOW};

/// Adding and subtracting 1.5 × 2⁵² rounds to the nearest integer.
const ROUNDER: f64 = 1.5 * (1u64 << 52) as f64;

/// Computes the exponential function, within 1 ULP (largest error found: 0.85 ULP).
///
/// NaN for NaN, ∞ for ∞ and from about 709.78, 0 for −∞ and up to about −745.13. Results below
/// `f64::MIN_POSITIVE` are subnormal. Exactly 1 for 0.
///
/// With `k` the integer nearest to `x / ln 2` and `r = x − k·ln 2`, it is `2ᵏ·eʳ`, where `eʳ = 1 +
/// r + r²/2! + …` is cut after r¹³, at most 2⁻⁵⁷ of the sum as `|r| ≤ ½·ln 2`. `r` is held as the
/// difference of an exact part and a small one. (Abramowitz and Stegun, *Handbook of Mathematical
/// Functions*, 4.2.1; the reduction is by W. J. Cody and W. Waite, *Software Manual for the
/// Elementary Functions*.)
///
/// ```
/// use tdg_definition::math::exp;
///
/// assert_eq!(exp(0.0), 1.0);
/// assert!((exp(1.0) - std::f64::consts::E).abs() <= f64::EPSILON * 2.0);
/// ```
pub fn exp(x: f64) -> f64 {
    // Outside this range, 2ᵏ isn't the product of two floats; the results are ∞ and 0 well before.
    if x > 1000.0 {
        return f64::INFINITY;
    }
    if x < -1000.0 {
        return 0.0;
    }
    if x.is_nan() {
        return x;
    }

    let (k, expm1_r) = reduced(x);
    // Two steps, because 2ᵏ alone may be out of range even if the result isn't, and only the second
    // step can round.
    (1.0 + expm1_r) * power_of_2(k / 2) * power_of_2(k - k / 2)
}

/// `k` and `eʳ − 1` with `x = k·ln 2 + r`, for `x` within ±1000.
#[inline(always)]
pub(super) fn reduced(x: f64) -> (i64, f64) {
    let k = (x * std::f64::consts::LOG2_E + ROUNDER) - ROUNDER;
    let high = x - k * LN_2_HIGH;
    let low = k * LN_2_LOW;
    let r = high - low;
    // Horner's rule, one step a line: r²/2! + r³/3! + … + r¹³/13!.
    let sum = 1.0 / 6_227_020_800.0;
    let sum = sum * r + 1.0 / 479_001_600.0;
    let sum = sum * r + 1.0 / 39_916_800.0;
    let sum = sum * r + 1.0 / 3_628_800.0;
    let sum = sum * r + 1.0 / 362_880.0;
    let sum = sum * r + 1.0 / 40_320.0;
    let sum = sum * r + 1.0 / 5040.0;
    let sum = sum * r + 1.0 / 720.0;
    let sum = sum * r + 1.0 / 120.0;
    let sum = sum * r + 1.0 / 24.0;
    let sum = sum * r + 1.0 / 6.0;
    let sum = sum * r + 1.0 / 2.0;
    let beyond_linear = sum * (r * r);
    (k as i64, high + (beyond_linear - low))
}

/// 2ᵏ for exponents of normal floats, −1022 to 1023.
pub(super) fn power_of_2(k: i64) -> f64 {
    f64::from_bits(((1023 + k) as u64) << 52)
}
