#[derive(tdg::Define)]
struct Order {
    #[define(type = DATETIM, uniform(min = "2020-01-01T00:00:00Z", max = "2020-12-31T00:00:00Z"))]
    placed: String,
}

fn main() {}
