//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use hsl::HSL;

#[tdg::ensemble_test(size = 500, tolerance(rel = 1e-12))]
fn from_rgb(
    #[define(uniform(0..=255))] red: u8,
    #[define(uniform(0..=255))] green: u8,
    #[define(uniform(0..=255))] blue: u8,
) -> (f64, f64, f64) {
    let HSL { h, s, l } = HSL::from_rgb(&[red, green, blue]);
    (h, s, l)
}

#[tdg::ensemble_test(size = 500)]
fn to_rgb(
    #[define(uniform(0.0..360.0), decimals = 1)] hue: f64,
    #[define(uniform(0.0..1.0), decimals = 2, edge_cases(probability = 0.1, values = [0.0]))] saturation: f64,
    #[define(uniform(0.0..1.0), decimals = 2)] lightness: f64,
) -> (u8, u8, u8) {
    HSL { h: hue, s: saturation, l: lightness }.to_rgb()
}
