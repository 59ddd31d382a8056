#[derive(tdg::Define)]
struct Order {
    #[define(uniform(min = 20, max = 1))]
    quantity: i64,
}

fn main() {}
