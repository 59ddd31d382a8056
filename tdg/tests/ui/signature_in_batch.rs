use tdg::ensemble_test;

#[ensemble_test(batch)]
fn total(
    #[define(uniform(1..=20))] quantity: u32,
) -> Vec<f64> {
    let _ = quantity;
    vec![]
}

fn main() {}
