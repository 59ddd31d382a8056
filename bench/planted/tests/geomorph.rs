//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use geomorph::{Coord, Mgrs, MgrsPrecision, Utm};

#[tdg::ensemble_test(size = 1000, output = "debug")]
fn utm(
    #[define(uniform(-85.0..85.0), decimals = 2)] lat: f64,
    #[define(uniform(-180.0..180.0), decimals = 2)] lon: f64,
) -> Utm {
    Coord::new(lat, lon).into()
}

#[tdg::ensemble_test(size = 500)]
fn mgrs(
    #[define(uniform(-79.0..83.0), decimals = 3)] lat: f64,
    #[define(uniform(-180.0..180.0), decimals = 3)] lon: f64,
    #[define(uniform(0..=5))] precision: usize,
) -> String {
    use MgrsPrecision::*;
    let precision = [P100km, P10km, P1km, P100m, P10m, P1m][precision];
    Mgrs::from_latlon(lat, lon).with_precision(precision).to_string()
}

#[tdg::ensemble_test(size = 500, output = "debug", tolerance(rel = 1e-9))]
fn position(
    #[define(uniform(1..=60))] zone: i32,
    #[define(uniform(200_000..=800_000))] easting: u32,
    #[define(uniform(0..=9_300_000))] northing: u32,
    #[define(bernoulli(0.6))] north: bool,
) -> Coord {
    Utm::new(f64::from(easting), f64::from(northing), north, zone, 'N', false).into()
}
