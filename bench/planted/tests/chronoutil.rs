//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use chrono::{Duration, NaiveDate};
use chronoutil::{DateRule, RelativeDuration};

#[tdg::ensemble_test(size = 500)]
fn shift(
    #[define(type = DATE, uniform("1990-01-01"..="2030-12-31"), parse)] date: NaiveDate,
    #[define(uniform(-30..=30))] months: i32,
) -> NaiveDate {
    chronoutil::shift_months(date, months)
}

#[tdg::ensemble_test(size = 500)]
fn dates(
    #[define(type = DATE, uniform("2020-01-01"..="2025-12-31"), parse)] start: NaiveDate,
    #[define(uniform(1..=6))] every: i32,
    #[define(uniform(0..=6))] count: usize,
    #[define(uniform(0..=31), null_probability = 0.5)] day: Option<u32>,
) -> Result<Vec<NaiveDate>, String> {
    let rule = DateRule::new(start, RelativeDuration::months(every)).with_count(count);
    Ok(match day {
        Some(day) => rule.with_rolling_day(day)?.collect(),
        None => rule.collect(),
    })
}

#[tdg::ensemble_test(size = 1000, output = "debug")]
fn parse(
    #[define(pattern(regex = "P([0-9]Y)?([0-9]{1,2}M)?([0-4]W)?(-?[0-9]{1,3}D)?(T([0-9]{1,2}H)?([0-9]{1,2}M)?(-?[0-9]{1,2}([.,][0-9]{1,4})?S)?)?"))]
    text: &str,
) -> Result<RelativeDuration, String> {
    RelativeDuration::parse_from_iso8601(text)
}

#[tdg::ensemble_test(size = 500)]
fn format(
    #[define(uniform(-30..=60))] months: i32,
    #[define(uniform(-200_000..=1_000_000))] seconds: i64,
    #[define(categorical(0 = 0.7, 250 = 0.1, 500 = 0.1, 999 = 0.1))] millis: i64,
) -> String {
    RelativeDuration::months(months)
        .with_duration(Duration::seconds(seconds) + Duration::milliseconds(millis))
        .format_to_iso8601()
}
