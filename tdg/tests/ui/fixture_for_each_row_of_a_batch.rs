use tdg::ensemble_test;

struct Db;

impl Db {
    fn rate(&self) -> f64 {
        2.0
    }
}

#[ensemble_test(definition = "definitions/orders.json", batch)]
fn total(rows: &[f64], #[fixture(each_row, Db)] db: &Db) -> Vec<f64> {
    vec![db.rate(); rows.len()]
}

fn main() {}
