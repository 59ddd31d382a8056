//! All distributions of floats except mixtures.

use super::{bounded_range, positive, symmetric};
use crate::candidate::Candidate;
use crate::sample::Sample;

/// Returns the distributions that fit, in no particular order.
pub(super) fn candidates(sample: &Sample) -> Vec<Candidate> {
    let fits: [fn(&Sample) -> Option<Candidate>; 13] = [
        symmetric::gaussian,
        symmetric::logistic,
        symmetric::laplace,
        symmetric::student_t,
        symmetric::cauchy,
        bounded_range::uniform,
        bounded_range::triangular,
        bounded_range::beta,
        positive::exponential,
        positive::lognormal,
        positive::gamma,
        positive::weibull,
        positive::pareto,
    ];
    let found = fits.iter().filter_map(|fit| fit(sample));
    found
        .map(|mut candidate| {
            // Convert densities to probabilities.
            candidate.ln_likelihood += sample.count * sample.ln_step();
            candidate
        })
        .collect()
}
