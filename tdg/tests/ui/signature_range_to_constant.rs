use tdg::ensemble_test;

const MAX: u32 = 20;

#[ensemble_test]
fn total(
    #[define(uniform(1..=MAX))] quantity: u32,
) -> f64 {
    let _ = quantity;
    1.0
}

fn main() {}
