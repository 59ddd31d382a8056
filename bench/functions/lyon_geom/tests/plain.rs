use lyon_geom::LineEquation;
use tdg::ensemble_test;

#[ensemble_test]
fn is_vertical(
    #[define(uniform(1.0..9.0))] a: f64,
    #[define(any(-1e6..=1e6), edge_cases(probability = 0.3))] b: f64,
    #[define(any(-1e6..=1e6))] c: f64,
) -> bool {
    LineEquation::new(a, b, c).is_vertical()
}
