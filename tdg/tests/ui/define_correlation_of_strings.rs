#[derive(tdg::Define)]
#[define(correlation(height, name, 0.7))]
struct Person {
    #[define(gaussian(mu = 170.0, sigma = 9.0))]
    height: f64,
    #[define(categorical("Ada", "Grace"))]
    name: String,
}

fn main() {}
