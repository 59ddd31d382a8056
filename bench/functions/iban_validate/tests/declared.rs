use iban::Iban;
use tdg::ensemble_test;

#[ensemble_test]
fn bban(#[define(uniform(0..=999_999_999_999_999_999), via = german)] iban: Iban) -> String {
    iban.bban().to_owned()
}

fn german(account: u64) -> Result<Iban, iban::ParseIbanError> {
    // The country's letters are 13 and 14, and the whole is 1 modulo 97.
    let check = 98 - (u128::from(account) * 1_000_000 + 131_400) % 97;
    format!("DE{check:02}{account:018}").parse()
}
