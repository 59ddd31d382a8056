use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", tolerance(abs = 1, integers, integers))]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
