#[derive(tdg::Define)]
struct Order {
    #[define(mixture(gaussian(mu = 10.0, sigma = 2.0) = 0.7, exponential(rate = 0.0) = 0.3))]
    amount: f64,
}

fn main() {}
