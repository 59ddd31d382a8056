#[derive(tdg::Define)]
#[define(correlation(height, weight, 1.7))]
struct Person {
    #[define(gaussian(mu = 170.0, sigma = 9.0))]
    height: f64,
    #[define(gaussian(mu = 75.0, sigma = 15.0))]
    weight: f64,
}

fn main() {}
