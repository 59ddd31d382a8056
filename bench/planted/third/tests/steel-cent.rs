//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use steel_cent::formatting::{self, FormatSpec};
use steel_cent::{currency, Money};

#[derive(Clone, Copy, PartialEq, tdg::Define, serde::Deserialize)]
enum Style {
    Generic,
    France,
    Kingdom,
    States,
}

#[derive(serde::Serialize)]
struct Payout {
    total: String,
    share: i64,
    rest: i64,
}

fn spec(style: Style) -> &'static FormatSpec {
    match style {
        Style::Generic => formatting::generic_style(),
        Style::France => formatting::france_style(),
        Style::Kingdom => formatting::uk_style(),
        Style::States => formatting::us_style(),
    }
}

#[tdg::ensemble_test(size = 500)]
fn shown(
    style: Style,
    #[define(categorical("EUR" = 0.3, "USD" = 0.2, "GBP" = 0.2, "JPY" = 0.2, "KWD" = 0.1))] code: &str,
    #[define(mixture(uniform(-999..=999) = 0.4, uniform(-10_000_000..=10_000_000) = 0.6))] minor: i64,
) -> Option<String> {
    let money = Money::of_minor(currency::with_code(code)?, minor);
    Some(spec(style).display_for(&money).to_string())
}

/// An amount as people write it; without decimals, it has as many as its currency.
#[tdg::ensemble_test(size = 500)]
fn read(
    style: Style,
    #[define(categorical("EUR" = 0.4, "USD" = 0.2, "GBP" = 0.2, "KWD" = 0.2))] code: &str,
    #[define(mixture(uniform(0..=999) = 0.4, uniform(1_000..=9_999_999) = 0.6))] whole: u32,
    #[define(uniform(0..=999))] fraction: u32,
    #[define(uniform(1..=3), null_probability = 0.75)] decimals: Option<usize>,
    #[define(bernoulli(0.6))] grouped: bool,
    #[define(bernoulli(0.3))] negative: bool,
) -> Result<(String, i64), String> {
    let (thousands, point) = if style == Style::France { ("\u{a0}", ',') } else { (",", '.') };
    let digits = whole.to_string();
    let mut amount = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if grouped && index > 0 && (digits.len() - index) % 3 == 0 {
            amount.push_str(thousands);
        }
        amount.push(digit);
    }
    let decimals = decimals.unwrap_or(if code == "KWD" { 3 } else { 2 });
    let fraction = format!("{fraction:03}");
    amount.push(point);
    amount.push_str(&fraction[..decimals]);
    let minus = if negative { "-" } else { "" };
    let text = match style {
        Style::Generic | Style::France => format!("{minus}{amount} {code}"),
        Style::Kingdom => format!("{minus}{code}{amount}"),
        Style::States if negative => format!("({code}{amount})"),
        Style::States => format!("{code}{amount}"),
    };
    let money: Money = spec(style).parser().parse(&text).map_err(|it| it.to_string())?;
    Ok((money.currency.code(), money.minor_amount()))
}

/// An account is converted, and divided among its owners.
#[tdg::ensemble_test(size = 500)]
fn payout(
    #[define(uniform(-200_000..=1_000_000))] minor: i64,
    #[define(categorical("EUR" = 0.5, "USD" = 0.3, "JPY" = 0.1, "KWD" = 0.1))] from: &str,
    #[define(categorical("EUR" = 0.4, "USD" = 0.3, "GBP" = 0.15, "JPY" = 0.15))] to: &str,
    #[define(uniform(0.2..3.0), decimals = 3)] rate: f64,
    #[define(uniform(1..=6))] owners: i64,
) -> Option<Payout> {
    let money = Money::of_minor(currency::with_code(from)?, minor);
    let total = money.convert_to(currency::with_code(to)?, rate);
    Some(Payout {
        total: total.to_string(),
        share: total.checked_div(owners)?.minor_amount(),
        rest: total.checked_rem(owners)?.minor_amount(),
    })
}
