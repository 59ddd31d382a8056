#[derive(tdg::Define)]
struct Order {
    #[define(gaussian(mu = 10.0, sigma = 2.0), uniform(min = 0.0, max = 1.0))]
    amount: f64,
}

fn main() {}
