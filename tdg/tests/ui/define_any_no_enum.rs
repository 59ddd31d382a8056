struct Money(f64);

#[derive(tdg::Define)]
struct Order {
    #[define(any)]
    amount: Money,
}

fn main() {}
