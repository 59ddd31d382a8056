use rink_core::output::NumberParts;
use rink_core::types::{BaseUnit, Number, Numeric};
use tdg::ensemble_test;

#[ensemble_test]
fn to_parts_simple(
    #[define(any, via = |n: i64| Numeric::from(n))] value: Numeric,
    #[define(categorical("m", "kg", "s"), via = BaseUnit::new)] unit: BaseUnit,
) -> NumberParts {
    Number::new_unit(value, unit).to_parts_simple()
}
