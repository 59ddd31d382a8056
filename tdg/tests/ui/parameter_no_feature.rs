use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
fn total(amount: f64, discount: f64) -> f64 {
    amount * discount
}

fn main() {}
