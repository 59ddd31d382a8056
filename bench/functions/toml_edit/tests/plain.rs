use tdg::ensemble_test;
use toml_edit::Formatted;

#[ensemble_test]
fn new(#[define(any)] value: f64) -> String {
    Formatted::new(value).to_string()
}
