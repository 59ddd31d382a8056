#[derive(tdg::Define)]
enum Coupon {}

fn main() {}
