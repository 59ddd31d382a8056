//! Distributions of floats, each with its most likely parameters.

mod bounded_range;
mod mixture;
mod positive;
mod simple;
mod symmetric;

use crate::candidate::{Candidate, prefer_simple, ranked};
use crate::sample::Sample;

/// Returns the distributions that fit, best first. The values must not all be equal.
pub(crate) fn candidates(sample: &Sample) -> Vec<Candidate> {
    let simple = ranked(simple::candidates(sample), sample.count);
    let mixtures = ranked(mixture::candidates(sample), sample.count);
    prefer_simple(simple, mixtures, sample.count)
}
