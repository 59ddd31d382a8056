use tdg::ensemble_test;

#[ensemble_test(definition(remote = "orders"), store = "remote")]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
