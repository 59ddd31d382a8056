use tdg::ensemble_test;

#[ensemble_test(definition = "3f1c9a52-8a4e-4f7e-9a52-0f9d3c1b2a77")]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
