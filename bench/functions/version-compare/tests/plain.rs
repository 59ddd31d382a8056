use tdg::ensemble_test;
use version_compare::Cmp;

#[ensemble_test]
fn flip(#[define(categorical("==", "!=", "<", "<=", ">=", ">"))] sign: &str) -> &'static str {
    Cmp::from_sign(sign).unwrap().flip().sign()
}
