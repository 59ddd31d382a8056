use tdg::ensemble_test;

struct Db;

impl Db {
    fn rate(&self) -> f64 {
        2.0
    }
}

#[ensemble_test(definition = "definitions/orders.json", threads = 4)]
fn total(amount: f64, #[fixture(Db)] db: &mut Db) -> f64 {
    amount * db.rate()
}

fn main() {}
