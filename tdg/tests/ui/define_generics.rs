#[derive(tdg::Define)]
struct Order<T, const N: usize> {
    amount: T,
}

fn main() {}
