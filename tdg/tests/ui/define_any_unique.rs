#[derive(tdg::Define)]
struct Order {
    #[define(any, unique)]
    id: u64,
}

fn main() {}
