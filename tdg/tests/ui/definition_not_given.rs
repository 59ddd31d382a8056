use tdg::ensemble_test;

#[ensemble_test(size = 500)]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
