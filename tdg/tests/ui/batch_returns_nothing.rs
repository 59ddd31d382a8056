use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", batch)]
fn total(rows: &[f64]) {
    assert!(!rows.is_empty());
}

fn main() {}
