use tdg::ensemble_test;

#[ensemble_test]
fn total(
    #[define(gaussian(mu = 1.0, sigma = 2.0, 0.0..9.5))] amount: f64,
) -> f64 {
    let _ = amount;
    1.0
}

fn main() {}
