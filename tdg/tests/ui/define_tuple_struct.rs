#[derive(tdg::Define)]
struct Order(f64, i64);

fn main() {}
