//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

#[tdg::ensemble_test(size = 500)]
fn hamming(
    #[define(pattern(regex = "[abc]{0,3}"))] a: &str,
    #[define(pattern(regex = "[abc]{0,3}"))] b: &str,
) -> Option<usize> {
    strsim::hamming(a, b).ok()
}

#[tdg::ensemble_test(size = 500, tolerance(rel = 1e-12))]
fn jaro(
    #[define(pattern(regex = "(ab)?[abc]{0,5}"))] a: &str,
    #[define(pattern(regex = "(ab)?[abc]{0,5}"))] b: &str,
) -> f64 {
    strsim::jaro(a, b)
}

#[tdg::ensemble_test(size = 500, tolerance(rel = 1e-12))]
fn jaro_winkler(
    #[define(pattern(regex = "(abac)?[abc]{0,5}"))] a: &str,
    #[define(pattern(regex = "(abac)?[abc]{0,5}"))] b: &str,
) -> f64 {
    strsim::jaro_winkler(a, b)
}

#[tdg::ensemble_test(size = 500)]
fn levenshtein(
    #[define(pattern(regex = "[abc]{0,6}"))] a: &str,
    #[define(pattern(regex = "[abc]{0,6}"))] b: &str,
) -> (usize, f64) {
    (strsim::levenshtein(a, b), strsim::normalized_levenshtein(a, b))
}

#[tdg::ensemble_test(size = 500)]
fn damerau(
    #[define(pattern(regex = "[abc]{0,5}"))] a: &str,
    #[define(pattern(regex = "[abc]{0,5}"))] b: &str,
) -> (usize, usize, f64) {
    let all = (strsim::osa_distance(a, b), strsim::damerau_levenshtein(a, b));
    (all.0, all.1, strsim::normalized_damerau_levenshtein(a, b))
}

#[tdg::ensemble_test(size = 500, tolerance(rel = 1e-12))]
fn dice(
    #[define(pattern(regex = "[ab ]{0,5}"))] a: &str,
    #[define(pattern(regex = "[ab ]{0,5}"))] b: &str,
) -> f64 {
    strsim::sorensen_dice(a, b)
}
