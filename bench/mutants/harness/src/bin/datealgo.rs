#[path = "../harness.rs"]
mod harness;

use serde::Deserialize;
use serde_json::{Value, json};

fn main() {
    harness::run(&[
        ("schedule", |row| schedule(harness::read(row))),
        ("timestamp", |row| timestamp(harness::read(row))),
        ("week", |row| week(harness::read(row))),
    ]);
}

#[derive(Deserialize)]
struct Schedule {
    start: String,
    days: i32,
    seconds: i64,
}

/// Returns a due date some days after the start, moved to a working day.
fn schedule(row: Schedule) -> Value {
    let start = harness::date(&row.start);
    let mut due = datealgo::rd_to_date(datealgo::date_to_rd(start) + row.days);
    while datealgo::date_to_weekday(due) > 5 {
        due = datealgo::next_date(due);
    }
    json!({
        "due": due,
        "reminder": datealgo::prev_date(due),
        "weekday": datealgo::date_to_weekday(start),
        "takes": datealgo::secs_to_dhms(row.seconds),
    })
}

#[derive(Deserialize)]
struct Timestamp {
    day: String,
    hour: u8,
    minute: u8,
    second: u8,
    offset: i64,
}

fn timestamp(row: Timestamp) -> Value {
    let (year, month, day) = harness::date(&row.day);
    let seconds = datealgo::datetime_to_secs((year, month, day, row.hour, row.minute, row.second));
    json!({"utc": seconds, "local": datealgo::secs_to_datetime(seconds + row.offset)})
}

#[derive(Deserialize)]
struct Week {
    day: String,
    year: i32,
    month: u8,
    iso_week: u8,
    weekday: u8,
}

fn week(row: Week) -> Value {
    json!({
        "of": datealgo::date_to_isoweekdate(harness::date(&row.day)),
        "weeks": datealgo::isoweeks_in_year(row.year),
        "begins": datealgo::isoweekdate_to_date((row.year, row.iso_week, row.weekday)),
        "leap": datealgo::is_leap_year(row.year),
        "days": datealgo::days_in_month(row.year, row.month),
    })
}
