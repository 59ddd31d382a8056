use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", tolerance(rel = -1e-9, ulps = 4), ignore("id"), allow = 1.5)]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
