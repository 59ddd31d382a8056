struct Money(f64);

#[derive(tdg::Define)]
struct Order {
    amount: Money,
}

fn main() {}
