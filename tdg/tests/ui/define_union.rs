#[derive(tdg::Define)]
union Order {
    amount: f64,
    quantity: i64,
}

fn main() {}
