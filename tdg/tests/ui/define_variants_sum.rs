#[derive(tdg::Define)]
enum Coupon {
    #[define(probability = 0.2)]
    Half,
    #[define(probability = 0.7)]
    Tenth,
}

fn main() {}
