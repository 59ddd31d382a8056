use rusty_money::{FastMoney, Money, MoneyError, iso};
use tdg::ensemble_test;

#[ensemble_test]
fn from_money_lossy(
    #[define(pattern(regex = "-?[0-9]{1,20}\\.[0-9]{0,4}"))] amount: &str,
) -> Result<i64, MoneyError> {
    let money = Money::from_str(amount, iso::USD)?;
    FastMoney::from_money_lossy(money).map(|money| money.minor_units())
}
