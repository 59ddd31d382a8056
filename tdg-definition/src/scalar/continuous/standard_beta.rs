//! Beta variables by inversion, for the beta and Student's t distributions.

use super::log_concave::LogConcave;
use crate::math::{exp, exp_m1, ln, ln_1p};

/// A beta variable `x` with shapes `a` and `b` as `s = ln (x / (1 - x)) - ln (a / b)`, whose
/// density is log-concave for all shapes: with `p = a / (a + b)`, its logarithm is `a × s - (a + b)
/// × ln(1 + p × (eˢ - 1))`.
pub(super) fn standard_beta(a: f64, b: f64) -> LogConcave<impl Fn(f64) -> f64> {
    LogConcave::new(move |s: f64| {
        // Mirrored if necessary, so that the terms of large shapes don't cancel.
        if a <= b {
            log_density(a, b, s)
        } else {
            log_density(b, a, -s)
        }
    })
}

/// The logarithm of the density for `a` up to `b`.
fn log_density(a: f64, b: f64, s: f64) -> f64 {
    let sum = a + b;
    let (p, q) = (a / sum, b / sum);
    if s < 700.0 {
        a * s - sum * ln_1p(p * exp_m1(s))
    } else {
        // eˢ would be infinite.
        -b * s - sum * ln(p + q * exp(-s))
    }
}
