use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", keep = r#"{"amount": 1.5, "quantity": 1, "coupon": null}"#)]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
