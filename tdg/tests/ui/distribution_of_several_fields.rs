use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", distribution("/lines/*/price", ks = 1e-6))]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
