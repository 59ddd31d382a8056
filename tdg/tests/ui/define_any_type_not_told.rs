struct Money(f64);

#[derive(tdg::Define)]
struct Order {
    #[define(any(max = 1000.0))]
    amount: Money,
}

fn main() {}
