use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
fn total(
    #[define(uniform(1..=20))] quantity: u32,
) -> f64 {
    let _ = quantity;
    1.0
}

fn main() {}
