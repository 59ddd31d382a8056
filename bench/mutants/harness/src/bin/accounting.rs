#[path = "../harness.rs"]
mod harness;

use serde::Deserialize;
use serde_json::{Value, json};

use accounting::{Accounting, unformat};

fn main() {
    harness::run(&[
        ("format", |row| format(harness::read(row))),
        ("unformat", |row| unformatted(harness::read(row))),
    ]);
}

#[derive(Deserialize)]
struct Format {
    amount: f64,
    precision: usize,
    symbol: String,
    thousand: String,
    decimal: String,
    negative: String,
}

fn format(row: Format) -> Value {
    let mut money =
        Accounting::new_from_seperator(&row.symbol, row.precision, &row.thousand, &row.decimal);
    money.set_format_negative(&row.negative);
    money.set_format_zero("{s} --");
    json!({
        "money": money.format_money(row.amount),
        "whole": money.format_money(row.amount as i64),
    })
}

#[derive(Deserialize)]
struct Unformat {
    text: String,
    precision: usize,
    currency: String,
}

fn unformatted(row: Unformat) -> Value {
    harness::result(
        unformat(&row.text, row.precision, &row.currency),
        |text| json!(text),
        |error| json!(error.to_string()),
    )
}
