use tdg::ensemble_test;
use yata::{core::Error, methods::UpperReversalSignal};

#[ensemble_test]
fn new(
    #[define(any)] left: u8,
    #[define(any)] right: u8,
    #[define(any)] value: f64,
) -> Result<UpperReversalSignal, Error> {
    UpperReversalSignal::new(left, right, &value)
}
