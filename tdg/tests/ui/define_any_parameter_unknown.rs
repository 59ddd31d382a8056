#[derive(tdg::Define)]
struct Order {
    #[define(any(maximum = 20))]
    quantity: u32,
}

fn main() {}
