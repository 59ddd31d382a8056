//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use card_validate::Validate;

#[tdg::ensemble_test(size = 1000)]
fn kind(
    #[define(pattern(regex = "(4|4026|5[0-9]|3[045678]|6011|62|22|35|2[0-9]{3}|9|a)[0-9]{11,15}"))] number: &str,
) -> Result<String, String> {
    Validate::evaluate_type(number).map(|it| it.name()).map_err(|it| format!("{it:?}"))
}

#[tdg::ensemble_test(size = 1000)]
fn validated(
    #[define(pattern(regex = "(4|5[1-5]|37|36|6011|62|22|35)[0-9]{11,16}"))] number: &str,
) -> Result<String, String> {
    Validate::from(number).map(|it| it.card_type.name()).map_err(|it| format!("{it:?}"))
}

#[tdg::ensemble_test(size = 500)]
fn length(
    #[define(categorical("4", "4026", "51", "50", "34", "36", "6011", "62", "35", "2200"))] first: &str,
    #[define(pattern(regex = "[0-9]{7,17}"))] rest: &str,
) -> Option<bool> {
    let number = format!("{first}{rest}");
    let kind = Validate::evaluate_type(&number).ok()?;
    Some(Validate::is_length_valid(&number, &kind))
}

#[tdg::ensemble_test(size = 1000)]
fn luhn(#[define(pattern(regex = "[0-9]{1,8}"))] number: &str) -> bool {
    Validate::is_luhn_valid(number)
}
