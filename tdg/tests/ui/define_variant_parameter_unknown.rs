#[derive(tdg::Define)]
enum Coupon {
    #[define(probabilty = 0.2)]
    Half,
    #[define(probability = 0.8)]
    Tenth,
}

fn main() {}
