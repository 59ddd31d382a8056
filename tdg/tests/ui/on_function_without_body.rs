use tdg::ensemble_test;

trait Shop {
    #[ensemble_test(definition = "definitions/orders.json")]
    fn total(amount: f64) -> f64;
}

fn main() {}
