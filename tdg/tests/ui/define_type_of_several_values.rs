#[derive(tdg::Define)]
struct Order {
    #[define(uniform(min = 1, max = 2))]
    quantity: i64,
    place: (f64, f64),
}

fn main() {}
