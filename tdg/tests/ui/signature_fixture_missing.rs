use tdg::ensemble_test;

struct Db;

#[ensemble_test]
fn total(
    #[define(uniform(1..=20))] quantity: u32,
    db: &Db,
) -> f64 {
    let _ = (quantity, db);
    1.0
}

fn main() {}
