use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
fn total(amount: impl Into<f64>) -> f64 {
    amount.into()
}

fn main() {}
