use super::exp::{exp, power_of_2, reduced};

/// Computes `eˣ − 1`, even if `eˣ` is so close to 1 that the difference would cancel; within 2 ULP
/// (largest error found: 1.25 ULP).
///
/// NaN for NaN, ∞ for ∞ and from about 709.78 on, −1 for −∞, 0 for both zeros.
///
/// With `k` and `r` as for [`exp`](super::exp()), it is `2ᵏ·(eʳ − 1) + (2ᵏ − 1)`, sharing `eʳ − 1`
/// with `exp`; above x = 40 it's `exp(x) − 1`, and below −40 it's −1.
///
/// ```
/// use tdg_definition::math::exp_m1;
///
/// assert_eq!(exp_m1(1e-20), 1e-20);
/// assert_eq!(exp_m1(-100.0), -1.0);
/// ```
pub fn exp_m1(x: f64) -> f64 {
    if x > 40.0 || x.is_nan() {
        return exp(x) - 1.0;
    }
    if x < -40.0 {
        return -1.0;
    }
    let (k, expm1_r) = reduced(x);
    if k == 0 {
        return expm1_r;
    }
    let power = power_of_2(k);
    power * expm1_r + (power - 1.0)
}
