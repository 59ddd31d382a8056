use pastel::Color;
use tdg::ensemble_test;

#[ensemble_test(tolerance(rel = 1e-9))]
fn to_lms(
    #[define(any)] r: u8,
    #[define(any)] g: u8,
    #[define(any)] b: u8,
) -> (f64, f64, f64, f64) {
    let lms = Color::from_rgb(r, g, b).to_lms();
    (lms.l, lms.m, lms.s, lms.alpha)
}
