#[derive(tdg::Define)]
struct Order {}

fn main() {}
