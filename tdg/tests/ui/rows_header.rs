use tdg::ensemble_test;

#[ensemble_test(rows = "rows/twice.csv")]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
