use tdg::ensemble_test;

#[ensemble_test(rows = "rows/amounts.csv", definition = "definitions/orders.json")]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
