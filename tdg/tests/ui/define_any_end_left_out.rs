#[derive(tdg::Define)]
struct Order {
    #[define(any(0.0..1.0))]
    share: f64,
}

fn main() {}
