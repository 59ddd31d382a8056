use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", batch, threads = 4)]
fn total(rows: &[f64]) -> Vec<f64> {
    rows.to_vec()
}

fn main() {}
