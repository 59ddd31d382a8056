use tdg::ensemble_test;

struct Order {
    amount: f64,
}

#[ensemble_test(rows = "rows/orders.csv")]
fn total(order: Order) -> f64 {
    order.amount
}

fn main() {}
