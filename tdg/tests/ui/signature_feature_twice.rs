use tdg::ensemble_test;

#[ensemble_test]
fn total(
    #[define(uniform(1..=20))] a: u32,
    #[feature("a")] #[define(uniform(1..=20))] b: u32,
) -> f64 {
    let _ = (a, b);
    1.0
}

fn main() {}
