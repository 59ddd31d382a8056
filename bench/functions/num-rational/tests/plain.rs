use num_rational::Ratio;
use tdg::ensemble_test;

#[ensemble_test]
fn from_integer(#[define(any)] t: i64) -> Ratio<i64> {
    Ratio::from_integer(t)
}
