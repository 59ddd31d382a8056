use tdg::ensemble_test;

#[ensemble_test(keep = [r#"{"amount": 0.0, "quantiy": 3}"#])]
fn total(#[define(uniform(0.0..1.0))] amount: f64, #[define(uniform(1..=9))] quantity: u32) -> f64 {
    amount * f64::from(quantity)
}

fn main() {}
