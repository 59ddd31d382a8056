use card_validate::{Validate, ValidateError};
use tdg::ensemble_test;

#[ensemble_test(size = 500, output = "debug")]
fn from(
    #[define(pattern(regex = "(4|5[1-5]|3[47]|36|6011|62|22|35)[0-9]{11,15}"))] number: &str,
) -> Result<Validate, ValidateError> {
    Validate::from(number)
}
