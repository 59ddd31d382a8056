use tdg::ensemble_test;

#[ensemble_test]
fn total(
    #[define(uniform(0..=300))] quantity: Option<u8>,
) -> f64 {
    let _ = quantity;
    1.0
}

fn main() {}
