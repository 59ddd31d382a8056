#[tdg::ensemble_test(definition = 7)]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
