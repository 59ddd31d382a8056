use iban::Iban;
use tdg::ensemble_test;

#[ensemble_test]
fn bban(#[define(uniform(0..=999_999_999_999_999_999))] account: u64) -> Option<String> {
    // The check digits: the country's letters are 13 and 14, and the rest is 1 modulo 97.
    let check = 98 - (u128::from(account) * 1_000_000 + 131_400) % 97;
    let iban: Iban = format!("DE{check:02}{account:018}").parse().ok()?;
    Some(iban.bban().to_owned())
}
