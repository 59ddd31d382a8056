#[derive(tdg::Define)]
struct Order {
    #[define(any(min = -1))]
    quantity: u8,
}

fn main() {}
