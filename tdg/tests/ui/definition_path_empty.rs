use tdg::ensemble_test;

#[ensemble_test(definition = "")]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
