use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
#[case(1.0)]
fn total(#[case] amount: f64) -> f64 {
    amount
}

fn main() {}
