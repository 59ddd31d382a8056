//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use iban_check::Iban;

#[derive(tdg::Define, serde::Deserialize)]
struct Account {
    #[define(categorical("DE" = 0.4, "BE" = 0.3, "NO" = 0.2, "XX" = 0.1))]
    country: String,
    #[define(pattern(regex = "[0-9]{26}"))]
    digits: String,
    #[define(bernoulli(0.15))]
    lower: bool,
    #[define(bernoulli(0.4))]
    grouped: bool,
}

/// How many digits an account has in a country.
fn digits_of(country: &str) -> usize {
    match country {
        "NO" => 11,
        "BE" => 12,
        "GB" => 14,
        "DE" => 18,
        "FR" => 23,
        "MT" => 23,
        _ => 16,
    }
}

/// The account with its country and check digits.
fn iban(country: &str, account: &str) -> String {
    let rest = format!("{account}{country}00")
        .chars()
        .filter_map(|it| it.to_digit(36))
        .fold(0, |rest, it| (rest * if it < 10 { 10 } else { 100 } + it) % 97);
    format!("{country}{:02}{account}", 98 - rest)
}

fn in_groups(text: &str) -> String {
    text.as_bytes().chunks(4).map(|it| String::from_utf8_lossy(it)).collect::<Vec<_>>().join(" ")
}

#[tdg::ensemble_test(size = 600)]
fn check(
    #[define(categorical("DE" = 0.34, "GB" = 0.25, "FR" = 0.2, "NO" = 0.1, "MT" = 0.01, "XX" = 0.1))] country: &str,
    #[define(pattern(regex = "[A-Z]{4}"))] bank: &str,
    #[define(pattern(regex = "[0-9]{26}"))] digits: &str,
    #[define(categorical(0 = 0.9, 1 = 0.1))] missing: usize,
    #[define(uniform(5..=14), null_probability = 0.85)] stray: Option<usize>,
    #[define(categorical("-", "/", "."))] sign: &str,
    #[define(bernoulli(0.1))] twisted: bool,
    #[define(bernoulli(0.5))] grouped: bool,
) -> Result<(String, String, String), String> {
    let bank = if ["GB", "MT"].contains(&country) { bank } else { "" };
    let mut text = iban(country, &format!("{bank}{}", &digits[..digits_of(country)]));
    if twisted {
        text.replace_range(8..10, &format!("{}{}", &text[9..10], &text[8..9]));
    }
    if let Some(stray) = stray {
        text.replace_range(stray..stray + 1, sign);
    }
    text.truncate(text.len() - missing);
    let text = if grouped { in_groups(&text) } else { text };
    let found: Iban = text.parse().map_err(|it: iban_check::ValidationError| it.to_string())?;
    Ok((found.country_code().to_owned(), found.check_digits().to_owned(), found.bban().to_owned()))
}

/// The accounts of a file of transfers.
#[tdg::ensemble_test(size = 300)]
fn batch(#[define(length(1..=4))] accounts: &[Account]) -> Vec<Result<String, String>> {
    let texts = accounts.iter().map(|it| {
        let text = iban(&it.country, &it.digits[..digits_of(&it.country)]);
        let text = if it.lower { text.to_lowercase() } else { text };
        if it.grouped { in_groups(&text) } else { text }
    });
    texts.map(|it| Iban::new(&it).map(|it| it.to_string()).map_err(|it| it.to_string())).collect()
}
