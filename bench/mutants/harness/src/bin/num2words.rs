#[path = "../harness.rs"]
mod harness;

use serde::Deserialize;
use serde_json::{Value, json};

use num2words::{Currency, Lang, Num2Words};

fn main() {
    harness::run(&[("words", |row| words(harness::read(row)))]);
}

#[derive(Deserialize)]
struct Words {
    whole: i64,
    cents: i64,
    language: String,
    form: String,
    currency: String,
    preferred: Option<String>,
}

/// Cents count if the form is a price.
fn words(row: Words) -> Value {
    let language = match row.language.as_str() {
        "en" => Lang::English,
        "fr" => Lang::French,
        "fr_BE" => Lang::French_BE,
        "fr_CH" => Lang::French_CH,
        _ => Lang::Ukrainian,
    };
    let number = match row.form.as_str() {
        "price" => Num2Words::new(row.whole as f64 + row.cents as f64 / 100.0),
        _ => Num2Words::new(row.whole),
    };
    let number = match row.form.as_str() {
        "cardinal" => number.cardinal(),
        "ordinal" => number.ordinal(),
        "place" => number.ordinal_num(),
        "year" => number.year(),
        _ => number.currency(row.currency.parse::<Currency>().expect("a currency")),
    };
    let number = match row.preferred {
        Some(preferred) => number.prefer(preferred),
        None => number,
    };
    harness::result(
        number.lang(language).to_words(),
        |words| json!(words),
        |error| json!(format!("{error:?}")),
    )
}
