use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", batch)]
fn total(amount: &[f64]) -> Vec<f64> {
    amount.to_vec()
}

fn main() {}
