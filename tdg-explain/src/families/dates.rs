//! Parts of dates and times.

use tdg_definition::calendar::date_of;

use super::super::attribute::{Family, Notation};
use super::super::table::{ColumnKind, ExplanationColumn};
use super::properties::Properties;

/// With more features, this would take too long.
const MANY: usize = 100;

const DAY: i128 = 86_400;

pub(in super::super) fn attributes(family: &mut Family<'_, '_>) {
    let table = family.table;
    let times = table.positions(false, &[ColumnKind::Date, ColumnKind::DateTime]);
    if times.len() <= MANY {
        for position in times {
            of_column(family, position);
        }
    }
}

/// Adds the parts of a column of dates or times.
pub(super) fn of_column(family: &mut Family<'_, '_>, position: usize) {
    let is_time = family.table.columns[position].kind == ColumnKind::DateTime;
    let mut days = Properties::new(family, position, day);
    days.written("weekday of {0}", Notation::Weekday, |day| {
        Some(weekday(day))
    });
    days.code("month of {0}", |day| date_of(day).1);
    days.code("day of the month of {0}", |day| date_of(day).2);
    days.number("days from {0} to the end of its month", |day| {
        let month = date_of(day).1;
        (0..31).find(|ahead| date_of(day + ahead + 1).1 != month)
    });
    days.flag(("{0} in a leap year", "{0} not in a leap year"), |day| {
        is_leap(date_of(day).0)
    });
    days.flag(("{0} on a weekend", "{0} on a working day"), |day| {
        weekday(day) > 5
    });
    days.flag(("{0} on 29 February", "{0} not on 29 February"), |day| {
        let (_, month, day) = date_of(day);
        (month, day) == (2, 29)
    });
    days.number("year of {0}", |day| Some(date_of(day).0));
    days.number("ISO week of {0}", |day| Some(iso_week(day)));
    let mut rare = days.rare();
    rare.code("quarter of {0}", |day| (date_of(day).1 - 1) / 3 + 1);
    rare.code("year of {0} modulo 4", |day| date_of(day).0.rem_euclid(4));
    rare.number("day of the year of {0}", |day| Some(day_of_year(day)));
    if is_time {
        of_time(family, position);
    }
}

fn of_time(family: &mut Family<'_, '_>, position: usize) {
    let mut seconds = Properties::new(family, position, |column, row| {
        Some(column.integer(row)?.rem_euclid(DAY) as i64)
    });
    seconds.code("hour of {0}", |second| second / 3600);
    let mut rare = seconds.rare();
    rare.number("minute of {0}", |second| Some(second / 60 % 60));
    rare.number("second of {0}", |second| Some(second % 60));
    seconds.flag(("{0} at midnight", "{0} not at midnight"), |second| {
        second == 0
    });
}

/// Returns the day since 1970, for times as well.
pub(in super::super) fn day(column: &ExplanationColumn<'_>, row: usize) -> Option<i64> {
    let integer = column.integer(row)?;
    Some(match column.kind {
        ColumnKind::DateTime => integer.div_euclid(DAY),
        _ => integer,
    } as i64)
}

/// Returns the weekday from 1 (Monday) to 7 (Sunday).
fn weekday(days: i64) -> i64 {
    // 1970-01-01 was a Thursday.
    (days + 3).rem_euclid(7) + 1
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn day_of_year(days: i64) -> i64 {
    const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let (year, month, day) = date_of(days);
    BEFORE[(month - 1) as usize] + day + i64::from(month > 2 && is_leap(year))
}

/// Returns the ISO 8601 week, which belongs to the year of its Thursday.
fn iso_week(days: i64) -> i64 {
    let thursday = days - weekday(days) + 4;
    (day_of_year(thursday) - 1) / 7 + 1
}
