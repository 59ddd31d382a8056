use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
fn total() -> f64 {
    1.0
}

fn main() {}
