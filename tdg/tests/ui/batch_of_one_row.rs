use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", batch)]
fn total(row: f64) -> Vec<f64> {
    vec![row]
}

fn main() {}
