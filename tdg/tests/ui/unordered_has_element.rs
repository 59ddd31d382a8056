use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", unordered("/tags"), tolerance("/tags/0", abs = 1))]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
