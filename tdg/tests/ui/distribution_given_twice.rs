use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", distribution(ks = 1e-6), distribution(ks = 1e-9))]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
