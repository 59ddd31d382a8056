use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", keep = ["[1.5, 1, null]"])]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
