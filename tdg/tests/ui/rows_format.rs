use tdg::ensemble_test;

#[ensemble_test(rows = "rows/orders.xlsx")]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
