use tdg::ensemble_test;

#[ensemble_test]
fn total(
    #[define()] amount: f64,
) -> f64 {
    let _ = amount;
    1.0
}

fn main() {}
