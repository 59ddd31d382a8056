use jaq_core::ops::Cmp::{self, Eq, Ge, Gt, Le, Lt, Ne};
use tdg::ensemble_test;

#[ensemble_test]
fn as_str(
    #[define(uniform(0..6), via = |i: usize| [Lt, Le, Gt, Ge, Eq, Ne][i])] cmp: Cmp,
) -> &'static str {
    cmp.as_str()
}
