use minijinja::{Error, Value};
use tdg::ensemble_test;

#[ensemble_test]
fn abs(#[define(any)] value: i64) -> Result<Value, Error> {
    minijinja::filters::abs(Value::from(value))
}

#[ensemble_test]
fn abs_of_floats(#[define(any)] value: f64) -> Result<Value, Error> {
    minijinja::filters::abs(Value::from(value))
}
