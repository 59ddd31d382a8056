use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
#[cfg_attr(all(), should_panic(expected = "reason"))]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
