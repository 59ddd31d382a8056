use tdg::ensemble_test;
use toml_edit::Formatted;

#[ensemble_test(output = "display")]
fn new(#[define(any)] value: f64) -> Formatted<f64> {
    Formatted::new(value)
}
