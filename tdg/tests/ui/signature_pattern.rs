use tdg::ensemble_test;

#[ensemble_test]
fn total(
    #[define(uniform(1..=20))] (x, y): (u32, u32),
) -> f64 {
    let _ = (x, y);
    1.0
}

fn main() {}
