//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use bdays::HolidayCalendar;
use bdays::calendars::{WeekendsOnly, brazil::BrazilExchange, us::USSettlement};
use chrono::NaiveDate;

#[derive(Clone, Copy, tdg::Define, serde::Deserialize)]
enum Calendar {
    Us,
    Brazil,
    Weekends,
}

#[tdg::ensemble_test(size = 1000)]
fn us_holiday(
    #[define(type = DATE, uniform("1975-01-01"..="2030-12-31"), parse)] date: NaiveDate,
) -> bool {
    USSettlement.is_holiday(date)
}

#[tdg::ensemble_test(size = 1000)]
fn brazil_holiday(
    #[define(type = DATE, uniform("2000-01-01"..="2030-12-31"), parse)] date: NaiveDate,
) -> bool {
    BrazilExchange.is_holiday(date)
}

#[tdg::ensemble_test(size = 500)]
fn advance(
    #[define(type = DATE, uniform("2000-01-01"..="2030-12-31"), parse)] date: NaiveDate,
    #[define(uniform(-10..=20))] days: i32,
    calendar: Calendar,
) -> NaiveDate {
    match calendar {
        Calendar::Us => USSettlement.advance_bdays(date, days),
        Calendar::Brazil => BrazilExchange.advance_bdays(date, days),
        Calendar::Weekends => WeekendsOnly.advance_bdays(date, days),
    }
}

#[tdg::ensemble_test(size = 500)]
fn weekdays_between(
    #[define(type = DATE, uniform("2020-01-01"..="2021-12-31"), parse)] from: NaiveDate,
    #[define(type = DATE, uniform("2020-01-01"..="2021-12-31"), parse)] to: NaiveDate,
) -> i32 {
    WeekendsOnly.bdays(from, to)
}
