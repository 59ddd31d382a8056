// What is wrong with the attribute is the only error: the function is there for its other users.

use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json", size = 0)]
#[ignore = "slow"]
#[must_use]
pub fn total(amount: f64, #[feature("unit price")] price: f64) -> f64 {
    amount * price
}

fn main() {
    println!("{}", total(1.0, 2.0));
}
