use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", require("/status = 'late'", at_least = 0.05))]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
