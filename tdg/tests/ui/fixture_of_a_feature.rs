use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
fn total(#[feature("unit price")] #[fixture(1.0)] amount: &f64) -> f64 {
    *amount
}

fn main() {}
