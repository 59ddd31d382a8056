use tdg::ensemble_test;

#[ensemble_test]
fn total(
    #[define(gaussian(mu = 1.0, sigma = -2.0))] amount: f64,
    #[define(unifrm(1..=20), uniqe)] quantity: u32,
) -> f64 {
    let _ = (amount, quantity);
    1.0
}

fn main() {}
