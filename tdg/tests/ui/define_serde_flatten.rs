struct Address;

#[derive(tdg::Define)]
struct Order {
    #[define(gaussian(mu = 10.0, sigma = 2.0))]
    amount: f64,
    #[serde(flatten)]
    address: Address,
}

fn main() {}
