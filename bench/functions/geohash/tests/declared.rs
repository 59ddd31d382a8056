use geohash::Direction::{self, E, N, NE, NW, S, SE, SW, W};
use tdg::ensemble_test;

#[ensemble_test(output = "debug")]
fn neighbor(
    #[define(pattern(regex = "[0-9b-z]{1,8}"))] hash: &str,
    #[define(uniform(0..8), via = |i: usize| [N, NE, E, SE, S, SW, W, NW][i])] direction: Direction,
) -> Result<String, geohash::GeohashError> {
    geohash::neighbor(hash, direction)
}
