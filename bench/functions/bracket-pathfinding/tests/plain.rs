use bracket_pathfinding::prelude::DijkstraMap;
use tdg::ensemble_test;

#[ensemble_test]
fn clear(
    #[define(uniform(1..=6))] width: usize,
    #[define(uniform(1..=6))] height: usize,
    #[define(uniform(0.0..100.0))] depth: f32,
) -> Vec<f32> {
    let mut map = DijkstraMap::new_empty(width, height, 1000.0);
    map.map.fill(depth);
    DijkstraMap::clear(&mut map);
    map.map
}
