#[derive(tdg::Define)]
#[define(coverage(strength = 4))]
struct Order {
    #[define(bernoulli(p = 0.5))]
    member: bool,
    #[define(gaussian(mu = 20.0, sigma = 5.0))]
    amount: f64,
}

fn main() {}
