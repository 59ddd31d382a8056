//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use serde::Serialize;
use textdistance::{Algorithm, Hamming};

#[derive(Serialize)]
struct Distance {
    distance: usize,
    similarity: usize,
    normalized: f64,
}

#[tdg::ensemble_test(size = 500)]
fn jaro_winkler(
    #[define(pattern(regex = "(pre|con|un|re)?[abest]{0,5}(ing|ed)?"))] a: &str,
    #[define(pattern(regex = "(pre|con|un|re)?[abest]{0,5}(ing|ed)?"))] b: &str,
) -> f64 {
    textdistance::str::jaro_winkler(a, b)
}

#[tdg::ensemble_test(size = 500)]
fn hamming(
    #[define(pattern(regex = "[ACGT]{0,12}"))] a: &str,
    #[define(pattern(regex = "[ACGT]{0,12}"))] b: &str,
    #[define(bernoulli(0.5))] truncate: bool,
) -> Distance {
    let it = Hamming { truncate }.for_str(a, b);
    Distance { distance: it.dist(), similarity: it.sim(), normalized: it.ndist() }
}

#[tdg::ensemble_test(size = 500)]
fn longest_common(
    #[define(pattern(regex = "[abc]{0,10}"))] a: &str,
    #[define(pattern(regex = "[abc]{0,10}"))] b: &str,
) -> usize {
    textdistance::str::lcsstr(a, b)
}
