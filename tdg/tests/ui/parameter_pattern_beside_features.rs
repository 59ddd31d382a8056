use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
fn total(amount: f64, (a, b): (f64, f64)) -> f64 {
    amount + a + b
}

fn main() {}
