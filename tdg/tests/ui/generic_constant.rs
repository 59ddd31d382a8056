use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/orders.json")]
fn total<const N: usize>(amount: f64) -> [f64; N] {
    [amount; N]
}

fn main() {}
