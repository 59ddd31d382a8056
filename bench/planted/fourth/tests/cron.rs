//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use chrono::{DateTime, NaiveDate, TimeZone, Utc};
use cron::{Schedule, TimeUnitSpec};

#[derive(tdg::Define, serde::Deserialize)]
enum Hours {
    #[define(probability = 0.1)]
    All,
    #[define(probability = 0.2)]
    At(#[define(uniform(0..=24))] u32),
    #[define(probability = 0.3)]
    Range {
        #[define(uniform(0..=18))]
        from: u32,
        #[define(uniform(6..=23))]
        to: u32,
    },
    #[define(probability = 0.4)]
    From {
        #[define(uniform(0..=20))]
        start: u32,
        #[define(uniform(1..=8))]
        step: u32,
    },
}

#[derive(tdg::Define, serde::Deserialize)]
enum Days {
    #[define(probability = 0.5)]
    All,
    #[define(probability = 0.2)]
    Every(#[define(uniform(2..=15))] u32),
    #[define(probability = 0.3)]
    From {
        #[define(uniform(1..=20))]
        start: u32,
        #[define(uniform(2..=10))]
        step: u32,
    },
}

#[derive(serde::Serialize)]
struct Fields {
    hours: Vec<u32>,
    days: Vec<u32>,
    weekdays: Vec<u32>,
}

/// The next three runs after a moment.
#[tdg::ensemble_test(size = 600)]
fn runs(
    #[define(categorical("0" = 0.4, "30" = 0.3, "*/20" = 0.2, "5,35" = 0.1))] minute: &str,
    #[define(categorical("9" = 0.5, "8-17" = 0.2, "*/6" = 0.2, "23" = 0.1))] hour: &str,
    #[define(categorical("*" = 0.5, "1" = 0.15, "15,30" = 0.15, "28-31" = 0.2))] day: &str,
    #[define(categorical("*" = 0.6, "2" = 0.15, "Apr-Jun" = 0.15, "1,7" = 0.1))] month: &str,
    #[define(categorical("*" = 0.5, "Mon-Fri" = 0.25, "Sun" = 0.1, "2,4" = 0.15))] weekday: &str,
    #[define(type = DATETIME, uniform("2023-07-01T00:00:00Z"..="2025-06-30T23:59:59Z"), parse)] moment: DateTime<Utc>,
) -> Vec<DateTime<Utc>> {
    let schedule: Schedule = format!("0 {minute} {hour} {day} {month} {weekday}").parse().unwrap();
    schedule.after(&moment).take(3).collect()
}

#[tdg::ensemble_test(size = 600)]
fn is_due(
    #[define(categorical("0" = 0.5, "*/15" = 0.5))] minute: &str,
    #[define(categorical("*" = 0.5, "8-17" = 0.5))] hour: &str,
    #[define(categorical("*" = 0.6, "1-10" = 0.25, "*/5" = 0.15))] day: &str,
    #[define(categorical("*" = 0.6, "Jan-Jun" = 0.4))] month: &str,
    #[define(categorical("*" = 0.4, "Mon-Fri" = 0.4, "Sat,Sun" = 0.2))] weekday: &str,
    #[define(type = DATE, uniform("2024-01-01"..="2024-12-31"), parse)] date: NaiveDate,
    #[define(uniform(0..=23))] at_hour: u32,
    #[define(categorical(0 = 0.5, 15 = 0.25, 20 = 0.25))] at_minute: u32,
) -> bool {
    let schedule: Schedule = format!("0 {minute} {hour} {day} {month} {weekday}").parse().unwrap();
    schedule.includes(Utc.from_utc_datetime(&date.and_hms_opt(at_hour, at_minute, 0).unwrap()))
}

#[tdg::ensemble_test(size = 500)]
fn fields(
    hours: Hours,
    days: Days,
    #[define(categorical("*" = 0.4, "Mon-Fri" = 0.2, "sat" = 0.1, "SUN,Wed" = 0.1, "Fri-Mon" = 0.1, "8" = 0.1))]
    weekday: &str,
) -> Result<Fields, String> {
    let hours = match hours {
        Hours::All => "*".to_owned(),
        Hours::At(hour) => hour.to_string(),
        Hours::Range { from, to } => format!("{from}-{to}"),
        Hours::From { start, step } => format!("{start}/{step}"),
    };
    let days = match days {
        Days::All => "?".to_owned(),
        Days::Every(step) => format!("*/{step}"),
        Days::From { start, step } => format!("{start}/{step}"),
    };
    let schedule: Schedule = format!("0 0 {hours} {days} * {weekday}").parse().map_err(|it: cron::error::Error| it.to_string())?;
    Ok(Fields {
        hours: schedule.hours().iter().collect(),
        days: schedule.days_of_month().iter().collect(),
        weekdays: schedule.days_of_week().iter().collect(),
    })
}
