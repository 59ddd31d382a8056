use pastel::{Color, LMS};
use tdg::ensemble_test;

#[ensemble_test(tolerance(rel = 1e-9), output = "debug")]
fn to_lms(#[define(any)] r: u8, #[define(any)] g: u8, #[define(any)] b: u8) -> LMS {
    Color::from_rgb(r, g, b).to_lms()
}
