use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", keep = ["{'amount': 1.5}"])]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
