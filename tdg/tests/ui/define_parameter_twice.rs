#[derive(tdg::Define)]
struct Order {
    #[define(gaussian(mu = 10.0, sigma = 2.0, mu = 1.0))]
    amount: f64,
}

fn main() {}
