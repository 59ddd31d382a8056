use tdg::ensemble_test;

#[ensemble_test(rows = "rows/orders.csv")]
fn total(amuont: f64, quantity: u32) -> f64 {
    amuont * f64::from(quantity)
}

fn main() {}
