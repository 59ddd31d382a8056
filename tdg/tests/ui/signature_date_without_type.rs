use tdg::ensemble_test;

#[ensemble_test]
fn total(
    #[define(uniform("2020-01-01"..="2020-12-31"))] day: &str,
) -> f64 {
    let _ = day;
    1.0
}

fn main() {}
