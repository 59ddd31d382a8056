use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", tolerance(abs = 1, integers = true))]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
