use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", require("/refund > 0", at_least = 0.5, at_most = 0.05))]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
