use jaq_core::ops::Cmp;
use tdg::ensemble_test;

#[ensemble_test]
fn as_str(#[define(uniform(0..6))] cmp: usize) -> &'static str {
    [Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge, Cmp::Eq, Cmp::Ne][cmp].as_str()
}
