use tdg::ensemble_test;

struct Shop;

impl Shop {
    #[ensemble_test(definition = "definitions/orders.json")]
    fn total(&self, amount: f64) -> f64 {
        amount
    }
}

fn main() {
    Shop.total(1.0);
}
