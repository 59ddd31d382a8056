use minijinja::{Error, Value};
use tdg::ensemble_test;

#[ensemble_test]
fn abs(#[define(any, via = |n: i64| Value::from(n))] value: Value) -> Result<Value, Error> {
    minijinja::filters::abs(value)
}

#[ensemble_test]
fn abs_of_floats(
    #[define(any, via = |x: f64| Value::from(x))] value: Value,
) -> Result<Value, Error> {
    minijinja::filters::abs(value)
}
