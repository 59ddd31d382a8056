use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
#[rstest]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
