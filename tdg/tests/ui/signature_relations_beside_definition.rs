use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", define(order(amount, quantity)))]
fn total(
    amount: f64,
    quantity: i64,
) -> f64 {
    let _ = (amount, quantity);
    1.0
}

fn main() {}
