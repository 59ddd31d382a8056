#[derive(tdg::Define)]
#[define(coverage(strength = 2, features = [id, amount]))]
struct Order {
    #[define(uuid)]
    id: String,
    #[define(gaussian(mu = 20.0, sigma = 5.0))]
    amount: f64,
}

fn main() {}
