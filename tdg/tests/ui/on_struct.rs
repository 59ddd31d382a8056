use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
struct Total {
    amount: f64,
}

fn main() {
    let _ = Total { amount: 1.0 }.amount;
}
