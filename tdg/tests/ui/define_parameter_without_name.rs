#[derive(tdg::Define)]
struct Parcel {
    #[define(pattern("[A-Z"))]
    label: String,
}

fn main() {}
