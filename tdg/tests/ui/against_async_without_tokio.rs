use tdg::ensemble_test;

mod old {
    pub async fn total(amount: f64) -> f64 {
        amount
    }
}

#[ensemble_test(definition = "definitions/orders.json", against(async old::total))]
fn total(amount: f64) -> f64 {
    amount
}

fn main() {}
