#[path = "../harness.rs"]
mod harness;

use serde::Deserialize;
use serde_json::{Value, json};

use gregorian::{Date, InvalidDayOfMonth, Month, YearMonth};

fn main() {
    harness::run(&[
        ("shift", |row| shift(harness::read(row))),
        ("between", |row| between(harness::read(row))),
        ("parse", |row| parse(harness::read(row))),
    ]);
}

#[derive(Deserialize)]
struct Shift {
    year: i16,
    month: u8,
    day: u8,
    unit: String,
    count: i16,
}

/// Moves a date by days, months or years, to the nearest earlier date if the result doesn't exist.
fn shift(row: Shift) -> Value {
    let month = Month::new(row.month).expect("a month");
    let date = match Date::new(row.year, month, row.day) {
        Ok(date) => date,
        Err(error) => return json!({"Err": error.to_string()}),
    };
    let shifted = match row.unit.as_str() {
        "days" => Ok(date.add_days(row.count.into())),
        "months" => date.add_months(row.count.into()),
        _ => date.add_years(row.count),
    };
    let shifted = shifted.unwrap_or_else(InvalidDayOfMonth::prev_valid);
    json!({"Ok": {"date": shifted.to_string(), "day": shifted.day_of_year(), "left": shifted.days_remaining_in_year()}})
}

#[derive(Deserialize)]
struct Between {
    from: String,
    to: String,
    seconds: i64,
    months: i32,
}

fn between(row: Between) -> Value {
    let from: Date = row.from.parse().expect("a date");
    let to: Date = row.to.parse().expect("a date");
    let month: YearMonth = to.year_month();
    json!({
        "days": to.days_since(from),
        "order": format!("{:?}", from.cmp(&to)),
        "timestamp": from.to_unix_timestamp(),
        "at": Date::from_unix_timestamp(row.seconds).to_string(),
        "before": month.sub_months(row.months).to_string(),
        "ends": month.last_day().to_string(),
        "year_ends": month.year().last_day().days_since(to),
    })
}

#[derive(Deserialize)]
struct Parse {
    text: String,
    year: i16,
    day_of_year: u16,
}

fn parse(row: Parse) -> Value {
    json!({
        "parsed": harness::result(
            row.text.parse::<Date>(),
            |date| json!({"next": date.next().to_string(), "previous": date.prev().to_string()}),
            |error| json!(error.to_string()),
        ),
        "ordinal": harness::result(
            gregorian::Year::new(row.year).with_day_of_year(row.day_of_year),
            |date| json!(date.to_string()),
            |error| json!(error.to_string()),
        ),
    })
}
