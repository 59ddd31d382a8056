use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/not_json.json")]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
