#[derive(tdg::Define)]
struct Order {
    #[define(gaussian(mu = , sigma = 2.0))]
    amount: f64,
}

fn main() {}
