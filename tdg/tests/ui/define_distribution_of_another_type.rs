#[derive(tdg::Define)]
struct Order {
    #[define(gaussian(mu = 10.0, sigma = 2.0))]
    quantity: i64,
}

fn main() {}
