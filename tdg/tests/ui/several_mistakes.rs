use tdg::ensemble_test;

#[ensemble_test(definition = "definitions/order.json", size = 0, sead = 7, threads)]
#[should_panic]
fn total<T>(amount: impl Into<f64>) -> f64 {
    amount.into()
}

fn main() {}
