use tdg::ensemble_test;

struct Order;

#[ensemble_test(definition = Order)]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {
    let _ = Order;
}
