#[derive(tdg::Define)]
struct Order {
    #[define(any)]
    amounts: Vec<f64>,
}

fn main() {}
