//! Symmetric distributions with a location and a scale.

use std::f64::consts::PI;

use tdg_definition::math::{exp, ln, normal};

use crate::candidate::{Candidate, rounded, rounded_to_spread};
use crate::math::{ln_gamma, peak};
use crate::sample::Sample;

const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_8;

/// The maximum number of values that an iterative search uses.
const SEARCHED: usize = 1_000;

/// Values of one sign get a gaussian truncated at 0 if 0 is at least this many deviations away.
const CLEAR_OF_ZERO: f64 = 2.0;

pub(super) fn gaussian(sample: &Sample) -> Option<Candidate> {
    let (mu, sigma) = (sample.mean, sample.deviation);
    let ln_likelihood = -sample.count * (ln(sigma) + HALF_LN_2_PI + 0.5);
    let mut parameters = location_and_scale(mu, sigma).to_vec();
    let distance = mu.abs() / sigma;
    if has_one_sign(sample) && !is_clear_of_zero(sample, normal::cdf(-distance)) {
        if distance < CLEAR_OF_ZERO {
            return None;
        }
        parameters.push((if mu > 0.0 { "min" } else { "max" }, 0.0));
    }
    let mut candidate = Candidate::new("gaussian", parameters, ln_likelihood);
    // The bound at 0 isn't fitted, because it follows from the sign.
    candidate.fitted = 2;
    Some(candidate)
}

/// Fits by Fisher scoring.
pub(super) fn logistic(sample: &Sample) -> Option<Candidate> {
    let values = sample.thinned(SEARCHED);
    let count = values.len() as f64;
    let (mut mu, mut sigma) = (sample.quantile(0.5), sample.deviation * 3.0_f64.sqrt() / PI);
    for _ in 0..20 {
        let (mut slope, mut stretch) = (0.0, 0.0);
        for value in &values {
            let z = (value - mu) / sigma;
            let tanh = 1.0 - 2.0 / (1.0 + exp(z));
            slope += tanh / count;
            stretch += z * tanh / count;
        }
        mu += 3.0 * sigma * slope;
        sigma *= (1.0 + (stretch - 1.0) * 9.0 / (PI * PI + 3.0)).max(0.1);
    }
    let ln_likelihood = sample.sum(|value| {
        let z = ((value - mu) / sigma).abs();
        -z - 2.0 * ln(1.0 + exp(-z))
    }) - sample.count * ln(sigma);
    let beyond = 1.0 / (1.0 + exp(mu.abs() / sigma));
    is_clear_of_zero(sample, beyond)
        .then(|| Candidate::new("logistic", location_and_scale(mu, sigma), ln_likelihood))
}

pub(super) fn laplace(sample: &Sample) -> Option<Candidate> {
    let mu = sample.quantile(0.5);
    let sigma = sample.mean_of(|value| (value - mu).abs());
    let ln_likelihood = -sample.count * (ln(2.0 * sigma) + 1.0);
    is_clear_of_zero(sample, 0.5 * exp(-mu.abs() / sigma))
        .then(|| Candidate::new("laplace", location_and_scale(mu, sigma), ln_likelihood))
}

pub(super) fn student_t(sample: &Sample) -> Option<Candidate> {
    /// The range from Cauchy's tails to almost gaussian ones.
    const NU: (f64, f64) = (1.0, 60.0);
    let values = sample.thinned(SEARCHED);
    let likelihood = |ln_nu: f64| {
        let nu = exp(ln_nu);
        let (mu, sigma) = of_nu(&values, nu);
        let sum: f64 = values
            .iter()
            .map(|value| ln_density((value - mu) / sigma, nu))
            .sum();
        sum - values.len() as f64 * ln(sigma)
    };
    let nu = exp(peak(ln(NU.0), ln(NU.1), 16, likelihood));
    let (mu, sigma) = of_nu(&values, nu);
    let ln_likelihood =
        sample.sum(|value| ln_density((value - mu) / sigma, nu)) - sample.count * ln(sigma);
    let mut parameters = vec![("nu", rounded(nu))];
    parameters.extend(location_and_scale(mu, sigma));
    is_clear_of_zero(sample, beyond(mu.abs() / sigma, nu))
        .then(|| Candidate::new("student_t", parameters, ln_likelihood))
}

pub(super) fn cauchy(sample: &Sample) -> Option<Candidate> {
    let (mu, sigma) = of_nu(&sample.thinned(SEARCHED), 1.0);
    let ln_likelihood =
        sample.sum(|value| ln_density((value - mu) / sigma, 1.0)) - sample.count * ln(sigma);
    is_clear_of_zero(sample, beyond(mu.abs() / sigma, 1.0))
        .then(|| Candidate::new("cauchy", location_and_scale(mu, sigma), ln_likelihood))
}

fn location_and_scale(mu: f64, sigma: f64) -> [(&'static str, f64); 2] {
    [
        ("mu", rounded_to_spread(mu, sigma)),
        ("sigma", rounded(sigma)),
    ]
}

/// Fits a Student t with `nu` degrees of freedom, by expectation maximisation.
fn of_nu(values: &[f64], nu: f64) -> (f64, f64) {
    let last = values.len() - 1;
    let mut mu = values[last / 2];
    let mut sigma = ((values[last * 3 / 4] - values[last / 4]) / 2.0).max(f64::MIN_POSITIVE);
    for _ in 0..30 {
        let (mut weights, mut weighted) = (0.0, 0.0);
        for value in values {
            let z = (value - mu) / sigma;
            let weight = (nu + 1.0) / (nu + z * z);
            weights += weight;
            weighted += weight * (value - mu);
        }
        mu += weighted / weights;
        let mut squares = 0.0;
        for value in values {
            let z = (value - mu) / sigma;
            squares += (nu + 1.0) / (nu + z * z) * z * z;
        }
        // Dividing by the weights, not by the number of values, converges faster to the same
        // result.
        sigma *= (squares / weights).sqrt();
    }
    (mu, sigma)
}

/// Returns the log-density of a Student t with location 0 and scale 1.
fn ln_density(z: f64, nu: f64) -> f64 {
    let constant = ln_gamma((nu + 1.0) / 2.0) - ln_gamma(nu / 2.0) - 0.5 * ln(nu * PI);
    constant - (nu + 1.0) / 2.0 * ln(1.0 + z * z / nu)
}

/// Returns the probability that a Student t exceeds `z` > 0, by Simpson's rule over `1 / t`.
fn beyond(z: f64, nu: f64) -> f64 {
    const INTERVALS: usize = 64;
    if z < 1e-3 {
        return 0.5;
    }
    let width = 1.0 / z / INTERVALS as f64;
    let height = |index: usize| {
        let inverse = (index as f64 * width).max(1e-9 * width);
        exp(ln_density(1.0 / inverse, nu) - 2.0 * ln(inverse))
    };
    let inner = (1..INTERVALS).map(|index| height(index) * if index % 2 == 1 { 4.0 } else { 2.0 });
    (height(0) + height(INTERVALS) + inner.sum::<f64>()) * width / 3.0
}

fn has_one_sign(sample: &Sample) -> bool {
    sample.min >= 0.0 || sample.max <= 0.0
}

/// Returns true if values of the other sign, which have this probability, would be rare enough.
fn is_clear_of_zero(sample: &Sample, beyond: f64) -> bool {
    !has_one_sign(sample) || beyond * sample.count < 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_of_student_t_match_the_tables() {
        for (z, nu, expected) in [(2.015, 5.0, 0.05), (6.314, 1.0, 0.05), (1.729, 19.0, 0.05)] {
            let found = beyond(z, nu);
            assert!((found - expected).abs() < 2e-4, "{z} {nu} {found}");
        }
    }
}
