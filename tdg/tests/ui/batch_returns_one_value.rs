use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", batch)]
fn total(rows: &[f64]) -> Result<Vec<f64>, String> {
    Ok(rows.to_vec())
}

fn main() {}
