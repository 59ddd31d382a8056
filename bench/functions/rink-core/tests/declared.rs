use rink_core::output::NumberParts;
use rink_core::types::{BaseUnit, Number, Numeric};
use tdg::ensemble_test;

#[ensemble_test]
fn to_parts_simple(
    #[define(
        (any, categorical("m", "kg", "s")),
        via = |value: i64, unit: &str| Number::new_unit(Numeric::from(value), BaseUnit::new(unit))
    )]
    number: Number,
) -> NumberParts {
    number.to_parts_simple()
}
