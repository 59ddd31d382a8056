use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", name = "to\u{1b}[31mtal\n")]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
