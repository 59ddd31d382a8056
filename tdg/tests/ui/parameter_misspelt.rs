use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
fn total(amonut: f64, quantity: i64) -> f64 {
    amonut * quantity as f64
}

fn main() {}
