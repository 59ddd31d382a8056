use rink_core::output::NumberParts;
use rink_core::types::{BaseUnit, Number, Numeric};
use tdg::ensemble_test;

#[ensemble_test]
fn to_parts_simple(
    #[define(any)] value: i64,
    #[define(categorical("m", "kg", "s"))] unit: &str,
) -> NumberParts {
    Number::new_unit(Numeric::from(value), BaseUnit::new(unit)).to_parts_simple()
}
