#[derive(tdg::Define)]
struct Order {
    #[define(categorical("HALF" = 0.5, "TENTH" = 0.4))]
    coupon: String,
}

fn main() {}
