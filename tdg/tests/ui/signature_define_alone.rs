use tdg::ensemble_test;

#[ensemble_test]
fn total(
    #[define] quantity: u32,
) -> f64 {
    let _ = quantity;
    1.0
}

fn main() {}
