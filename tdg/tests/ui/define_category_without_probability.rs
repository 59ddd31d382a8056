#[derive(tdg::Define)]
struct Order {
    #[define(categorical("HALF" = 0.5, "TENTH"))]
    coupon: String,
}

fn main() {}
