//! Parts of dates and times.

use tdg_definition::calendar::date_of;

use super::super::attribute::{Family, Notation};
use super::super::table::ColumnKind;

/// With more features this would take too long.
const MANY: usize = 100;

const DAY: i128 = 86_400;

pub(in super::super) fn attributes(family: &mut Family<'_, '_>) {
    let times = family
        .table
        .positions(false, &[ColumnKind::Date, ColumnKind::DateTime]);
    if times.len() <= MANY {
        for position in times {
            of_column(family, position);
        }
    }
}

/// The parts of a column of dates or times.
pub(super) fn of_column(family: &mut Family<'_, '_>, position: usize) {
    let column = &family.table.columns[position];
    let here = [position];
    let is_time = column.kind == ColumnKind::DateTime;
    let days = move |row: usize| {
        let integer = column.integer(row)?;
        Some(if is_time {
            integer.div_euclid(DAY)
        } else {
            integer
        } as i64)
    };
    family.number("weekday of {0}", Notation::Weekday, &here, move |row| {
        Some(i128::from(weekday(days(row)?)).into())
    });
    family.code("month of {0}", &here, move |row| {
        Some(date_of(days(row)?).1.into())
    });
    family.code("day of the month of {0}", &here, move |row| {
        Some(date_of(days(row)?).2.into())
    });
    family.count("days from {0} to the end of its month", &here, move |row| {
        let day = days(row)?;
        let month = date_of(day).1;
        (0..31)
            .find(|ahead| date_of(day + ahead + 1).1 != month)
            .map(i128::from)
    });
    family.flag(
        ("{0} in a leap year", "{0} not in a leap year"),
        &here,
        move |row| Some(is_leap(date_of(days(row)?).0)),
    );
    family.flag(
        ("{0} on a weekend", "{0} on a working day"),
        &here,
        move |row| Some(weekday(days(row)?) > 5),
    );
    family.flag(
        ("{0} on 29 February", "{0} not on 29 February"),
        &here,
        move |row| {
            let (_, month, day) = date_of(days(row)?);
            Some((month, day) == (2, 29))
        },
    );
    family.count("year of {0}", &here, move |row| {
        Some(date_of(days(row)?).0.into())
    });
    family.count("ISO week of {0}", &here, move |row| {
        Some(iso_week(days(row)?).into())
    });
    family
        .code("quarter of {0}", &here, move |row| {
            Some(((date_of(days(row)?).1 - 1) / 3 + 1).into())
        })
        .rarer(1.0);
    family
        .code("year of {0} modulo 4", &here, move |row| {
            Some(date_of(days(row)?).0.rem_euclid(4).into())
        })
        .rarer(1.0);
    family
        .count("day of the year of {0}", &here, move |row| {
            Some(day_of_year(days(row)?).into())
        })
        .rarer(1.0);
    if is_time {
        let seconds = move |row: usize| Some(column.integer(row)?.rem_euclid(DAY));
        family.code("hour of {0}", &here, move |row| Some(seconds(row)? / 3600));
        family
            .count("minute of {0}", &here, move |row| {
                Some(seconds(row)? / 60 % 60)
            })
            .rarer(1.0);
        family
            .count("second of {0}", &here, move |row| Some(seconds(row)? % 60))
            .rarer(1.0);
        family.flag(
            ("{0} at midnight", "{0} not at midnight"),
            &here,
            move |row| Some(seconds(row)? == 0),
        );
    }
}

/// From Monday, 1, to Sunday, 7.
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

/// The week of ISO 8601: that of the year that has its Thursday.
fn iso_week(days: i64) -> i64 {
    let thursday = days - weekday(days) + 4;
    (day_of_year(thursday) - 1) / 7 + 1
}
