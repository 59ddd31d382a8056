use tdg::ensemble_test;

#[ensemble_test]
fn total(#[define(uniform(1..=20))] #[fixture(7)] quantity: &u32) -> u32 {
    *quantity
}

fn main() {}
