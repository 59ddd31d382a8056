#[derive(tdg::Define)]
enum Coupon {
    #[define(probability = 0.2)]
    Half,
    Tenth,
}

fn main() {}
