use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", unordered("/tags"), unordered("/tags"))]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
