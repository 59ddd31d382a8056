const MEAN: f64 = 10.0;

#[derive(tdg::Define)]
struct Order {
    #[define(gaussian(mu = MEAN, sigma = 2.0))]
    amount: f64,
}

fn main() {}
