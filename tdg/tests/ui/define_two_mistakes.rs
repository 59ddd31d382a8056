#[derive(tdg::Define)]
struct Order {
    #[define(gaussian(mu = 10.0, sigma = -2.0))]
    amount: f64,
    #[define(gausian(mu = 10.0, sigma = 2.0), nul_probability = 0.1)]
    price: Option<f64>,
}

fn main() {}
