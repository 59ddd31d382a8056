use tdg::ensemble_test;

#[ensemble_test(define(order(strat, end)))]
fn total(
    #[define(uniform(1..=20))] start: u32,
    #[define(uniform(1..=20))] end: u32,
) -> f64 {
    let _ = (start, end);
    1.0
}

fn main() {}
