use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
fn total<T: Into<f64>>(amount: T) -> f64 {
    amount.into()
}

fn main() {}
