//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

#[derive(serde::Serialize)]
struct Meeting {
    first: String,
    second: String,
    common: String,
    centre: Option<(f64, f64)>,
}

#[tdg::ensemble_test(size = 500)]
fn cell(
    #[define(uniform(-85.0..85.0), decimals = 4)] latitude: f64,
    #[define(uniform(-180.0..180.0), decimals = 4, edge_cases(probability = 0.015, values = [0.0, 90.0, -90.0]))]
    longitude: f64,
    #[define(uniform(1..=11))] precision: usize,
) -> String {
    geohasher::encode(latitude, longitude, precision)
}

#[tdg::ensemble_test(size = 400)]
fn centre(#[define(pattern(regex = "[0-9bcdefghjkmnpqrstuvwxyz]{1,9}"))] hash: &str) -> (f64, f64) {
    geohasher::decode(hash)
}

/// The smallest cell in which two people are.
#[tdg::ensemble_test(size = 500)]
fn meeting(
    #[define(uniform(36.0..60.0), decimals = 3)] latitude: f64,
    #[define(uniform(-10.0..30.0), decimals = 3)] longitude: f64,
    #[define(uniform(-2.0..2.0), decimals = 3)] north: f64,
    #[define(uniform(-2.0..2.0), decimals = 3)] east: f64,
    #[define(uniform(3..=6))] precision: usize,
) -> Meeting {
    let first = geohasher::encode(latitude, longitude, precision);
    let second = geohasher::encode(latitude + north, longitude + east, precision);
    let common: String = first.chars().zip(second.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
    let centre = if common.is_empty() { None } else { Some(geohasher::decode(&common)) };
    Meeting { first, second, common, centre }
}
