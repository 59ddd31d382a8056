use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
fn total(amount: f64, coupon: &str) -> f64 {
    if coupon == "HALF" { amount / 2.0 } else { amount }
}

fn main() {}
