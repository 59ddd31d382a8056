use comfy_table::Column;
use tdg::ensemble_test;

#[ensemble_test]
fn padding_width(#[define(any)] left: u16, #[define(any)] right: u16) -> u16 {
    Column::new(0).set_padding((left, right)).padding_width()
}
