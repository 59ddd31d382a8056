use geohash::Direction::{E, N, NE, NW, S, SE, SW, W};
use tdg::ensemble_test;

#[ensemble_test]
fn neighbor(
    #[define(pattern(regex = "[0-9b-z]{1,8}"))] hash: &str,
    #[define(uniform(0..8))] direction: usize,
) -> Result<String, geohash::GeohashError> {
    geohash::neighbor(hash, [N, NE, E, SE, S, SW, W, NW][direction])
}
