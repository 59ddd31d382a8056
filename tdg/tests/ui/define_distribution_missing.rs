#[derive(tdg::Define)]
struct Order {
    amount: f64,
}

fn main() {}
