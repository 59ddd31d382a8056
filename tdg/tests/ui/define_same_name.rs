#[derive(tdg::Define)]
struct Order {
    #[define(gaussian(mu = 10.0, sigma = 2.0))]
    amount: f64,
    #[define(gaussian(mu = 10.0, sigma = 2.0))]
    #[serde(rename = "amount")]
    price: f64,
}

fn main() {}
