use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", panics = "ignore")]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
