use tdg::ensemble_test;

#[ensemble_test(
    definition = "definitions/orders.json",
    keep = [r#"{"amount": null, "quantity": 1, "coupon": null, "unit price": 9.5, "type": true}"#]
)]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
