//! Distributions of floats, each with its most likely parameters.

mod bounded;
mod mixture;
mod positive;
mod simple;
mod symmetric;

use crate::candidate::{Candidate, prefer_simple, ranked};
use crate::sample::Sample;

/// The distributions that fit, the best first. The values are not all the same.
pub(crate) fn candidates(sample: &Sample) -> Vec<Candidate> {
    let simple = ranked(simple::candidates(sample), sample.count);
    let mixtures = ranked(mixture::candidates(sample), sample.count);
    prefer_simple(simple, mixtures, sample.count)
}
