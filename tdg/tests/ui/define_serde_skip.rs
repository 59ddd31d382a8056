#[derive(tdg::Define)]
struct Order {
    #[define(gaussian(mu = 10.0, sigma = 2.0))]
    amount: f64,
    #[serde(skip)]
    #[define(gaussian(mu = 10.0, sigma = 2.0))]
    price: f64,
}

fn main() {}
