use pastel::{Color, LMS};
use tdg::ensemble_test;

#[ensemble_test(tolerance(rel = 1e-9), output = "debug")]
fn to_lms(
    #[define((any, any, any), via = |r: u8, g: u8, b: u8| Color::from_rgb(r, g, b))] color: Color,
) -> LMS {
    color.to_lms()
}
