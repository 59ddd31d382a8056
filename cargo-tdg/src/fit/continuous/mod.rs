//! Distributions of floats, each with the parameters of greatest likelihood.

mod bounded;
mod mixture;
mod positive;
mod symmetric;

pub(super) use mixture::weighted;

use super::candidate::{Candidate, ranked};

use super::sample::Sample;

/// By how many nats a value a mixture has to be better than everything that is simpler: it can't be correlated with
/// other features, and is hard to edit.
pub(super) const WORTH_A_MIXTURE: f64 = 0.02;

/// What fits, the best first. The values are not all the same.
pub(super) fn candidates(sample: &Sample) -> Vec<Candidate> {
    let simple = ranked(simple(sample), sample.count);
    let mixtures = ranked(mixture::candidates(sample), sample.count);
    preferred(simple, mixtures, sample.count)
}

/// Everything but mixtures, unordered.
fn simple(sample: &Sample) -> Vec<Candidate> {
    let fits: [fn(&Sample) -> Option<Candidate>; 13] = [
        symmetric::gaussian,
        symmetric::logistic,
        symmetric::laplace,
        symmetric::student_t,
        symmetric::cauchy,
        bounded::uniform,
        bounded::triangular,
        bounded::beta,
        positive::exponential,
        positive::lognormal,
        positive::gamma,
        positive::weibull,
        positive::pareto,
    ];
    let found = fits.iter().filter_map(|fit| fit(sample));
    found
        .map(|mut candidate| {
            // From densities to probabilities.
            candidate.ln_likelihood += sample.count * sample.ln_step();
            candidate
        })
        .collect()
}

/// A mixture comes first only if it is better by far; else after the simple ones.
pub(super) fn preferred(
    mut simple: Vec<Candidate>,
    mixtures: Vec<Candidate>,
    count: f64,
) -> Vec<Candidate> {
    let (Some(one), Some(other)) = (mixtures.first(), simple.first()) else {
        simple.extend(mixtures);
        return simple;
    };
    let at = if one.cost(count) + WORTH_A_MIXTURE * count < other.cost(count) {
        0
    } else {
        simple.len()
    };
    simple.splice(at..at, mixtures);
    simple
}
