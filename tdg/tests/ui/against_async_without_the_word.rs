use tdg::ensemble_test;

mod old {
    pub fn total(amount: f64) -> f64 {
        amount
    }
}

#[ensemble_test(definition = "definitions/orders.json", against(old::total))]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
