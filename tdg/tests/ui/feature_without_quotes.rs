use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
fn total(#[feature(price)] price: f64) -> f64 {
    price
}

fn main() {}
