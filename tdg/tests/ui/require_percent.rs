use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", require("/refund > 0", at_least = 5))]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
