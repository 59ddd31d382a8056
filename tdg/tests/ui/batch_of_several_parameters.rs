use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", batch)]
fn total(rows: &[f64], more: &[f64]) -> Vec<f64> {
    [rows, more].concat()
}

fn main() {}
