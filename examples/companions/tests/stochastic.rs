//! Tests a function that draws random numbers: with the seed as a feature, and by its distribution.

use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use serde::Serialize;

/// Returns the number of days until a parcel arrives.
fn days(grams: u32, rng: &mut impl Rng) -> f64 {
    let delay: f64 = rng.random();
    1.0 + f64::from(grams) / 10_000.0 + 3.0 * delay * delay
}

#[tdg::ensemble_test(definition = "definitions/deliveries.json", size = 300)]
fn seeded(grams: u32, seed: u64) -> f64 {
    days(grams, &mut StdRng::seed_from_u64(seed))
}

#[derive(Serialize)]
struct Delivery {
    grams: u32,
    days: f64,
}

#[tdg::ensemble_test(
    definition = "definitions/deliveries.json",
    size = 300,
    distribution("/days", ks = 1e-6)
)]
fn unseeded(grams: u32) -> Delivery {
    let days = days(grams, &mut rand::rng());
    Delivery { grams, days }
}
