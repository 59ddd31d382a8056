#[derive(tdg::Define)]
#[define(order(start, end))]
struct Stay {
    #[define(type = DATE, uniform(min = "2020-01-01", max = "2020-12-31"))]
    start: String,
    #[define(uniform(min = 0, max = 30))]
    end: i64,
}

fn main() {}
