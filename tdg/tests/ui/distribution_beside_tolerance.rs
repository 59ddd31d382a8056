use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", tolerance("/price", abs = 0.01), distribution("/price", ks = 1e-6))]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
