use phonenumber::{PhoneNumber, metadata::DATABASE};
use tdg::ensemble_test;

#[ensemble_test]
fn is_valid_with(
    #[define(
        pattern(regex = "\\+(1|44|49|33)[ ]?[1-9][0-9]{1,3}[ -]?[0-9]{4,7}"),
        parse
    )]
    number: &PhoneNumber,
) -> bool {
    phonenumber::is_valid_with(&DATABASE, number)
}
