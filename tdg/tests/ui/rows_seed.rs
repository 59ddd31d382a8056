use tdg::ensemble_test;

#[ensemble_test(rows = "rows/orders.csv", seed = 7)]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
