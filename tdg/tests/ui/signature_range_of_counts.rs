use tdg::ensemble_test;

#[ensemble_test]
fn total(
    #[define(poisson(0..=9))] visits: u32,
) -> f64 {
    let _ = visits;
    1.0
}

fn main() {}
