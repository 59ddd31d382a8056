#[derive(tdg::Define)]
#[serde(tag = "kind")]
enum Coupon {
    Half,
}

fn main() {}
