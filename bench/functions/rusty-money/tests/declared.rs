use rusty_money::{FastMoney, Money, MoneyError, iso};
use tdg::ensemble_test;

#[ensemble_test(output = "debug")]
fn from_money_lossy(
    #[define(pattern(regex = "-?[0-9]{1,20}\\.[0-9]{0,4}"), via = |text: &str| Money::from_str(text, iso::USD))]
    money: Money<'static, iso::Currency>,
) -> Result<FastMoney<'static, iso::Currency>, MoneyError> {
    FastMoney::from_money_lossy(money)
}
