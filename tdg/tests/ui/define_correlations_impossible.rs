#[derive(tdg::Define)]
#[define(correlation(a, b, 0.9), correlation(b, c, 0.9), correlation(c, a, -0.9))]
struct Row {
    #[define(gaussian(mu = 0.0, sigma = 1.0))]
    a: f64,
    #[define(gaussian(mu = 0.0, sigma = 1.0))]
    b: f64,
    #[define(gaussian(mu = 0.0, sigma = 1.0))]
    c: f64,
}

fn main() {}
