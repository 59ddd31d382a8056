//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use geohash::{Coord, Direction, GeohashError};

#[tdg::ensemble_test(size = 500)]
fn encode(
    #[define(uniform(-185.0..185.0), decimals = 3)] lon: f64,
    #[define(uniform(-92.0..92.0), decimals = 3)] lat: f64,
    #[define(uniform(0..=13))] length: usize,
) -> Result<String, String> {
    geohash::encode(Coord { x: lon, y: lat }, length).map_err(|it| it.to_string())
}

#[tdg::ensemble_test(size = 500)]
fn decode(#[define(pattern(regex = "[0-9b-hj-km-np-z]{1,6}a?|é"))] hash: &str) -> Result<(f64, f64, f64, f64), String> {
    let (at, lon, lat) = geohash::decode(hash).map_err(|it| it.to_string())?;
    Ok((at.x, at.y, lon, lat))
}

#[tdg::ensemble_test(size = 500)]
fn neighbor(
    #[define(pattern(regex = "[0-9b-hj-km-np-z]{2,5}"))] hash: &str,
    #[define(categorical("N", "NE", "E", "SE", "S", "SW", "W", "NW"))] direction: &str,
) -> Result<String, GeohashError> {
    let direction = match direction {
        "N" => Direction::N,
        "NE" => Direction::NE,
        "E" => Direction::E,
        "SE" => Direction::SE,
        "S" => Direction::S,
        "SW" => Direction::SW,
        "W" => Direction::W,
        _ => Direction::NW,
    };
    geohash::neighbor(hash, direction)
}
