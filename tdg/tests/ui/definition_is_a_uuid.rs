use tdg::ensemble_test;

#[ensemble_test(definition = "0b5a36c6-9fd8-4d0c-9f6a-1c1c5d0a3f10", store = "remote")]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
