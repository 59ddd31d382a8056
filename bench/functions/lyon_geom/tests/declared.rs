use lyon_geom::LineEquation;
use tdg::ensemble_test;

#[ensemble_test]
fn is_vertical(
    #[define(
        (
            uniform(1.0..9.0),
            any(-1e6..=1e6),
            edge_cases(probability = 0.3),
            any(-1e6..=1e6)
        ),
        via = LineEquation::new
    )]
    line: LineEquation<f64>,
) -> bool {
    line.is_vertical()
}
