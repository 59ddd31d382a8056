#[derive(tdg::Define)]
#[define(sampling = "stratified")]
struct Part {
    #[define(mixture(gaussian(mu = 0.0, sigma = 1.0) = 0.5, gaussian(mu = 9.0, sigma = 1.0) = 0.5))]
    length: f64,
}

fn main() {}
