use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
fn total(amont: f64) -> f64 {
    amont
}

fn main() {}
