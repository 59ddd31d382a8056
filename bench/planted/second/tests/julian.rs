//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use julian::{Calendar, Jdnum, Month, ncal};

#[derive(Clone, Copy, tdg::Define, serde::Deserialize)]
enum Country {
    Denmark,
    England,
    Greece,
    Italy,
    Russia,
}

impl Country {
    fn reformation(self) -> (Jdnum, i32) {
        match self {
            Country::Denmark => (ncal::DENMARK, 1700),
            Country::England => (ncal::UNITED_KINGDOM, 1752),
            Country::Greece => (ncal::GREECE, 1924),
            Country::Italy => (ncal::ITALY, 1582),
            Country::Russia => (ncal::RUSSIA, 1918),
        }
    }

    fn calendar(self) -> Calendar {
        Calendar::reforming(self.reformation().0).unwrap()
    }
}

#[derive(serde::Serialize)]
struct Entry {
    gregorian: String,
    weekday: String,
    day_number: i32,
    day_of_year: u32,
    old_style: bool,
}

/// An entry in a church book, with the date of today's calendar.
#[tdg::ensemble_test(size = 500)]
fn church_book(
    country: Country,
    #[define(uniform(1_560..=1_940))] year: i32,
    #[define(uniform(1..=12))] month: u32,
    #[define(uniform(1..=31))] day: u32,
) -> Result<Entry, String> {
    let month = Month::try_from(month).map_err(|it| it.to_string())?;
    let date = country.calendar().at_ymd(year, month, day).map_err(|it| it.to_string())?;
    Ok(Entry {
        gregorian: date.convert_to(Calendar::GREGORIAN).to_string(),
        weekday: date.weekday().to_string(),
        day_number: date.julian_day_number(),
        day_of_year: date.ordinal(),
        old_style: date.is_julian(),
    })
}

#[derive(serde::Serialize)]
struct Day {
    date: String,
    old_style: bool,
    before: Option<String>,
    after: Option<String>,
}

/// A day in the weeks around the reformation of a country.
#[tdg::ensemble_test(size = 500)]
fn around(country: Country, #[define(uniform(-60..=60))] days: i32) -> Day {
    let date = country.calendar().at_jdn(country.reformation().0 + days);
    Day {
        date: date.to_string(),
        old_style: date.is_julian(),
        before: date.pred().map(|it| it.to_string()),
        after: date.succ().map(|it| it.to_string()),
    }
}

#[tdg::ensemble_test(size = 500)]
fn read(
    #[define(pattern(regex = "(\\+|-)?[0-2]?[0-9]{3}-((0[1-9]|1[0-3])-([0-2][0-9]|3[01])|[0-3][0-9]{2})( |Z)?"))] text: &str,
    #[define(bernoulli(0.5))] julian: bool,
) -> Result<String, String> {
    let calendar = if julian { Calendar::JULIAN } else { Calendar::GREGORIAN };
    let date = calendar.parse_date(text).map_err(|it| it.to_string())?;
    Ok(format!("{date} {}", date.weekday()))
}

#[derive(serde::Serialize)]
struct Sheet {
    days: u32,
    first: u32,
    last: u32,
    gap: Option<(u32, u32)>,
}

/// A sheet of a calendar in the years around the reformation; none if the whole month is left out.
#[tdg::ensemble_test(size = 500)]
fn sheet(
    country: Country,
    #[define(uniform(-1..=1))] years: i32,
    #[define(uniform(1..=12))] month: u32,
) -> Option<Sheet> {
    let month = Month::try_from(month).ok()?;
    let shape = country.calendar().month_shape(country.reformation().1 + years, month)?;
    Some(Sheet {
        days: shape.len(),
        first: shape.first_day(),
        last: shape.last_day(),
        gap: shape.gap().map(|it| (*it.start(), *it.end())),
    })
}
