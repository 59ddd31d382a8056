use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", distribution(ks = 0))]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
