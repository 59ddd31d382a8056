#[derive(tdg::Define)]
enum Coupon {
    Half,
    Percent(f64),
}

fn main() {}
