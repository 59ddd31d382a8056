use tdg::ensemble_test;

#[ensemble_test]
fn total(
    #[define(uniform(0.0..=1.0))] share: f64,
) -> f64 {
    let _ = share;
    1.0
}

fn main() {}
