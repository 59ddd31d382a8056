use tdg::ensemble_test;

#[ensemble_test(define(order(start, end)))]
fn total(
    start: u32,
    end: u32,
) -> f64 {
    let _ = (start, end);
    1.0
}

fn main() {}
