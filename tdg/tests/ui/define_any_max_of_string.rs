#[derive(tdg::Define)]
struct Order {
    #[define(any(max = 20))]
    comment: String,
}

fn main() {}
