use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
fn total(#[cfg(unix)] amount: f64) -> f64 {
    amount
}

fn main() {}
