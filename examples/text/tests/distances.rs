//! Measures the distance between two strings with strsim.

use serde::Serialize;
use tdg::ensemble_test;

#[derive(Serialize)]
struct Distances {
    damerau_levenshtein: usize,
    hamming: Result<usize, String>,
    jaro_winkler: f64,
    sorensen_dice: f64,
}

/// Returns `None` if there is nothing to compare with.
#[ensemble_test(definition = "definitions/pairs.json", size = 150)]
fn distances(left: &str, right: Option<&str>) -> Option<Distances> {
    let right = right?;
    Some(Distances {
        damerau_levenshtein: strsim::damerau_levenshtein(left, right),
        hamming: strsim::hamming(left, right).map_err(|error| error.to_string()),
        jaro_winkler: strsim::jaro_winkler(left, right),
        sorensen_dice: strsim::sorensen_dice(left, right),
    })
}
