use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", batch = true)]
fn total(rows: &[f64]) -> Vec<f64> {
    rows.to_vec()
}

fn main() {}
