use tdg::ensemble_test;

#[ensemble_test]
fn total(
    #[define(uniform(1..=20))] quantity: u32,
    prices: [f64; 2],
) -> f64 {
    let _ = (quantity, prices);
    1.0
}

fn main() {}
