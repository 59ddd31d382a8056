//! Distributions of positive numbers.

use tdg_definition::math::{exp, ln};

use crate::candidate::{Candidate, rounded, rounded_to_spread};
use crate::math::{digamma, ln_gamma, trigamma};
use crate::sample::Sample;

const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_8;

pub(super) fn exponential(sample: &Sample) -> Option<Candidate> {
    let scale = sample.mean;
    let ln_likelihood = -sample.count * (ln(scale) + 1.0);
    (sample.min >= 0.0)
        .then(|| Candidate::new("exponential", [("scale", rounded(scale))], ln_likelihood))
}

pub(super) fn lognormal(sample: &Sample) -> Option<Candidate> {
    let mu = mean_ln(sample)?;
    let sigma = sample
        .mean_of(|value| (ln(value) - mu) * (ln(value) - mu))
        .sqrt();
    let ln_likelihood = -sample.count * (mu + ln(sigma) + HALF_LN_2_PI + 0.5);
    let parameters = [
        ("mu", rounded_to_spread(mu, sigma)),
        ("sigma", rounded(sigma)),
    ];
    Some(Candidate::new("lognormal", parameters, ln_likelihood))
}

/// Fits the shape by Newton's method (T. P. Minka, *Estimating a gamma distribution*, 2002).
pub(super) fn gamma(sample: &Sample) -> Option<Candidate> {
    let mean_ln = mean_ln(sample)?;
    let gap = ln(sample.mean) - mean_ln;
    if gap <= 0.0 {
        return None;
    }
    let mut shape = (3.0 - gap + ((gap - 3.0) * (gap - 3.0) + 24.0 * gap).sqrt()) / (12.0 * gap);
    for _ in 0..6 {
        let slope = ln(shape) - digamma(shape) - gap;
        let inverse = 1.0 / shape + slope / (shape * shape * (1.0 / shape - trigamma(shape)));
        shape = 1.0 / inverse;
    }
    let scale = sample.mean / shape;
    let ln_likelihood =
        sample.count * ((shape - 1.0) * mean_ln - shape - shape * ln(scale) - ln_gamma(shape));
    let parameters = [("shape", rounded(shape)), ("scale", rounded(scale))];
    Some(Candidate::new("gamma", parameters, ln_likelihood))
}

/// Fits the shape by Newton's method.
pub(super) fn weibull(sample: &Sample) -> Option<Candidate> {
    let mean_ln = mean_ln(sample)?;
    // Values are divided by the largest one, so that powers stay within bounds.
    let logarithms: Vec<f64> = sample
        .values
        .iter()
        .map(|value| ln(value / sample.max))
        .collect();
    let target = mean_ln - ln(sample.max);
    let spread = sample
        .mean_of(|value| (ln(value) - mean_ln) * (ln(value) - mean_ln))
        .sqrt();
    let mut shape = 1.28 / spread;
    let mut powers = 0.0;
    for _ in 0..12 {
        let (mut first, mut second) = (0.0, 0.0);
        powers = 0.0;
        for logarithm in &logarithms {
            let power = exp(shape * logarithm);
            powers += power;
            first += power * logarithm;
            second += power * logarithm * logarithm;
        }
        let centre = first / powers;
        let value = centre - 1.0 / shape - target;
        let slope = second / powers - centre * centre + 1.0 / (shape * shape);
        let step = value / slope;
        shape = (shape - step).max(shape / 4.0);
        if step.abs() < 1e-10 * shape {
            break;
        }
    }
    let scale = sample.max * exp(ln(powers / logarithms.len() as f64) / shape);
    let ln_likelihood =
        sample.count * (ln(shape) - shape * ln(scale) + (shape - 1.0) * mean_ln - 1.0);
    let parameters = [("shape", rounded(shape)), ("scale", rounded(scale))];
    Some(Candidate::new("weibull", parameters, ln_likelihood))
}

pub(super) fn pareto(sample: &Sample) -> Option<Candidate> {
    let beyond = mean_ln(sample)? - ln(sample.min);
    let shape = 1.0 / beyond;
    let ln_likelihood = sample.count * (ln(shape) - beyond * shape - beyond - ln(sample.min));
    let parameters = [("min", sample.min), ("shape", rounded(shape))];
    Some(Candidate::new("pareto", parameters, ln_likelihood))
}

/// Returns the mean of the logarithms, or `None` unless all values are positive.
fn mean_ln(sample: &Sample) -> Option<f64> {
    (sample.min > 0.0).then(|| sample.mean_of(ln))
}
