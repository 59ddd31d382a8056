use tdg::ensemble_test;

struct Db;

impl Db {
    fn rate(&self) -> f64 {
        2.0
    }
}

#[ensemble_test(definition = "definitions/orders.json")]
fn total(amount: f64, #[fixture(Db, each_row)] db: Db) -> f64 {
    amount * db.rate()
}

fn main() {}
