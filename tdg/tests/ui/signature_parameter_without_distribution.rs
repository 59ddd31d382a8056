use tdg::ensemble_test;

#[ensemble_test]
fn total(
    #[define(uniform(1..=20))] quantity: u32,
    amount: f64,
) -> f64 {
    let _ = (quantity, amount);
    1.0
}

fn main() {}
