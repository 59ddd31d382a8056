use palette::{Xyz, cam16::Parameters, white_point::Any};
use tdg::ensemble_test;

#[ensemble_test]
fn default_dynamic_wp(
    #[define(
        (uniform(0.0..1.5), uniform(0.0..1.5), uniform(0.0..1.5)),
        via = |x: f64, y: f64, z: f64| Xyz::new(x, y, z)
    )]
    white: Xyz<Any, f64>,
    #[define(uniform(0.0..500.0))] luminance: f64,
) -> (Xyz<Any, f64>, f64, f64) {
    let parameters = Parameters::default_dynamic_wp(white, luminance);
    (
        parameters.white_point,
        parameters.adapting_luminance,
        parameters.background_luminance,
    )
}
