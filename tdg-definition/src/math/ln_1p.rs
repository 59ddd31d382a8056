use super::ln;

/// Computes `ln (1 + x)`, even if `1 + x` would round `x` away; within 2 ULP (largest error found:
/// 1.41 ULP).
///
/// NaN below −1 and for NaN, −∞ for −1, ∞ for ∞, 0 for 0.
///
/// With `w = 1 + x` as rounded, `x` itself if `w = 1`, else `ln w · (x / (w − 1))`: `ln w / (w −
/// 1)` changes so slowly that the rounding of `w` does not matter. (D. Goldberg, *What every
/// computer scientist should know about floating-point arithmetic*, ACM Computing Surveys 23
/// (1991), theorem 4.)
///
/// ```
/// use tdg_definition::math::ln_1p;
///
/// assert_eq!(ln_1p(1e-20), 1e-20);
/// assert_eq!(ln_1p(-1.0), f64::NEG_INFINITY);
/// ```
pub fn ln_1p(x: f64) -> f64 {
    let w = 1.0 + x;
    if w == 1.0 || x == f64::INFINITY {
        return x;
    }
    ln(w) * (x / (w - 1.0))
}
