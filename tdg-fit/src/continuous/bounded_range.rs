//! Bounded distributions.

use tdg_definition::math::ln;

use crate::candidate::{Candidate, rounded, rounded_to_spread};
use crate::math::{digamma, ln_gamma, trigamma};
use crate::sample::Sample;

pub(super) fn uniform(sample: &Sample) -> Option<Candidate> {
    let ln_likelihood = -sample.count * ln(sample.max - sample.min);
    let parameters = [("min", sample.min), ("max", sample.max)];
    Some(Candidate::new("uniform", parameters, ln_likelihood))
}

/// Fits the most likely mode. The ends lie outside the values by the average distance between the
/// outermost values of a triangular distribution and its ends.
pub(super) fn triangular(sample: &Sample) -> Option<Candidate> {
    let range = sample.max - sample.min;
    let mut mode = (3.0 * sample.mean - sample.min - sample.max).clamp(sample.min, sample.max);
    let (mut low, mut high, mut ln_likelihood) = (sample.min, sample.max, f64::NAN);
    for _ in 0..8 {
        // On average, the distance of the smallest of n values from the end is Γ(1.5) √(range ×
        // distance to the mode / n).
        let outside = |to_mode: f64| {
            let share = 0.886_226_925_452_758 / sample.count.sqrt();
            share * ((high - low) * to_mode.max(range / sample.count)).sqrt()
        };
        let (below, above) = (outside(mode - low), outside(high - mode));
        (low, high) = (sample.min - below, sample.max + above);
        // Drawn values must have the same sign as the table's values.
        if sample.min >= 0.0 {
            low = low.max(0.0);
        }
        if sample.max <= 0.0 {
            high = high.min(0.0);
        }
        (mode, ln_likelihood) = most_likely_mode(sample, low, high);
    }
    let parameters = [("min", low), ("mode", mode), ("max", high)];
    let parameters = parameters.map(|(key, value)| (key, rounded_to_spread(value, range)));
    Some(Candidate::new("triangular", parameters, ln_likelihood))
}

/// Returns the most likely mode, which is one of the values, with its log-likelihood.
fn most_likely_mode(sample: &Sample, low: f64, high: f64) -> (f64, f64) {
    let values = &sample.values;
    let each = sample.count / values.len() as f64;
    let mut left = 0.0;
    let mut right: f64 = values.iter().map(|value| ln(high - value)).sum();
    let mut best = (values[0], f64::NEG_INFINITY);
    for (index, &mode) in values.iter().enumerate() {
        let (before, after) = (index as f64, (values.len() - index) as f64);
        let sum = left - before * ln(mode - low) + right - after * ln(high - mode);
        if sum > best.1 {
            best = (mode, sum);
        }
        left += ln(mode - low);
        right -= ln(high - mode);
    }
    let height = ln(2.0 / (high - low));
    (best.0, each * (best.1 + values.len() as f64 * height))
}

/// Fits by Newton's method, for values strictly between 0 and 1.
pub(super) fn beta(sample: &Sample) -> Option<Candidate> {
    if sample.min <= 0.0 || sample.max >= 1.0 {
        return None;
    }
    let (ln_value, ln_rest) = (sample.mean_of(ln), sample.mean_of(|value| ln(1.0 - value)));
    let (mean, variance) = (sample.mean, sample.deviation * sample.deviation);
    let total = (mean * (1.0 - mean) / variance - 1.0).max(0.1);
    let (mut alpha, mut beta) = (mean * total, (1.0 - mean) * total);
    for _ in 0..20 {
        let (both, curve) = (digamma(alpha + beta), trigamma(alpha + beta));
        let (value, rest) = (
            digamma(alpha) - both - ln_value,
            digamma(beta) - both - ln_rest,
        );
        let (first, second) = (trigamma(alpha) - curve, trigamma(beta) - curve);
        let determinant = first * second - curve * curve;
        alpha = (alpha - (second * value + curve * rest) / determinant).max(alpha / 4.0);
        beta = (beta - (first * rest + curve * value) / determinant).max(beta / 4.0);
    }
    let ln_likelihood = sample.count
        * ((alpha - 1.0) * ln_value + (beta - 1.0) * ln_rest + ln_gamma(alpha + beta)
            - ln_gamma(alpha)
            - ln_gamma(beta));
    let parameters = [("alpha", rounded(alpha)), ("beta", rounded(beta))];
    Some(Candidate::new("beta", parameters, ln_likelihood))
}
