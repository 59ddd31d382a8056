//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use line_clipping::sutherland_hodgman::clip_polygon;
use line_clipping::{Point, Polygon, Window};

#[derive(tdg::Define, serde::Deserialize)]
struct Vertex {
    #[define(uniform(-4..=14))]
    x: i32,
    #[define(uniform(-4..=12))]
    y: i32,
}

/// The part of a polygon that a window of this size shows.
#[tdg::ensemble_test(size = 500)]
fn visible(
    #[define(length(3..=5))] vertices: &[Vertex],
    #[define(uniform(6..=12))] width: u32,
    #[define(uniform(5..=10))] height: u32,
) -> Vec<(f64, f64)> {
    let points: Vec<Point> = vertices.iter().map(|it| Point::new(it.x.into(), it.y.into())).collect();
    let window = Window::new(0.0, width.into(), 0.0, height.into());
    clip_polygon(&Polygon::new(&points), window).vertices.iter().map(|it| (it.x, it.y)).collect()
}
