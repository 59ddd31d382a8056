//! Conversions between numbers and the text of dates and times.
//!
//! The calendar is Gregorian in all years, as in ISO 8601 and RFC 3339. It is implemented by hand,
//! because a crate for it would take a tenth of tdg's build time.

use crate::fault::{Invalid, invalid};

pub(crate) const SECONDS_A_DAY: i64 = 86_400;
/// 0000-01-01, in days since 1970-01-01.
const FIRST_DAY: i64 = -719_528;
/// 9999-12-31, in days since 1970-01-01.
const LAST_DAY: i64 = 2_932_896;

/// The days of the year before each month, except in leap years.
const DAYS_BEFORE: [i64; 13] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];

/// Parses an RFC 3339 text such as `2021-03-08T22:14:28Z` into seconds since 1970-01-01T00:00:00Z.
///
/// # Errors
/// The fault, and the expected form.
pub fn parse_datetime(text: &str) -> Result<i64, Invalid> {
    let Some((seconds, is_whole)) = read_datetime(text) else {
        return invalid!(
            "must be a date and time such as \"2021-03-08T22:14:28Z\" (RFC 3339), but is {text:?}"
        );
    };
    if !is_whole {
        return invalid!("must be a whole second, but is {text:?}");
    }
    if (FIRST_DAY..=LAST_DAY).contains(&seconds.div_euclid(SECONDS_A_DAY)) {
        Ok(seconds)
    } else {
        invalid!("must be in the years 0000 to 9999 UTC, but is {text:?}")
    }
}

/// Parses a text such as `2021-03-08` into days since 1970-01-01.
///
/// # Errors
/// The fault, and the expected form.
pub fn parse_date(text: &str) -> Result<i64, Invalid> {
    read_date(text.as_bytes())
        .ok_or_else(|| format!("must be a date such as \"2021-03-08\", but is {text:?}").into())
}

/// Appends a time such as `2021-03-08T22:14:28Z`, which is always 20 bytes.
pub fn write_datetime(text: &mut String, seconds: i64) {
    write_date(text, seconds.div_euclid(SECONDS_A_DAY));
    let second = seconds.rem_euclid(SECONDS_A_DAY);
    text.push('T');
    write_digits(text, second / 3600, 2);
    text.push(':');
    write_digits(text, second / 60 % 60, 2);
    text.push(':');
    write_digits(text, second % 60, 2);
    text.push('Z');
}

/// Appends a date such as `2021-03-08`, which is always 10 bytes. Days outside the years 0000 to
/// 9999 are clamped.
pub fn write_date(text: &mut String, days: i64) {
    let (year, month, day) = date_of(days);
    write_digits(text, year, 4);
    text.push('-');
    write_digits(text, month, 2);
    text.push('-');
    write_digits(text, day, 2);
}

/// Converts days since 1970-01-01 to the year, month and day, the latter two from 1. Days outside
/// the years 0000 to 9999 are clamped.
pub fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days.clamp(FIRST_DAY, LAST_DAY) - FIRST_DAY;
    // 400 years have 146,097 days. The estimate can be off by one around the turn of a year.
    let mut year = days * 400 / 146_097;
    if days < days_before(year) {
        year -= 1;
    } else if days >= days_before(year + 1) {
        year += 1;
    }
    let day = days - days_before(year);
    let mut month = 1;
    while day >= days_before_month(year, month + 1) {
        month += 1;
    }
    (year, month, day - days_before_month(year, month) + 1)
}

/// The first day of a month in the years 0000 to 9999, in days since 1970-01-01; month 13 is the
/// next year's first.
pub(crate) fn first_of_month(year: i64, month: i64) -> i64 {
    FIRST_DAY + days_before(year) + days_before_month(year, month)
}

/// The days from 0000-01-01 to the first day of a year.
fn days_before(year: i64) -> i64 {
    // Year 0 is a leap year.
    365 * year + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400
}

/// The days from the first day of a year to the first day of a month, counted from 1; 13 is the
/// next year's first.
fn days_before_month(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    DAYS_BEFORE[(month - 1) as usize] + i64::from(is_leap && month > 2)
}

/// Reads only the form `2021-03-08`.
fn read_date(text: &[u8]) -> Option<i64> {
    let &[y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] = text else {
        return None;
    };
    let (year, month, day) = (
        number(&[y0, y1, y2, y3])?,
        number(&[m0, m1])?,
        number(&[d0, d1])?,
    );
    if !(1..=12).contains(&month) {
        return None;
    }
    let before = days_before_month(year, month);
    let days = days_before_month(year, month + 1) - before;
    (1..=days)
        .contains(&day)
        .then(|| FIRST_DAY + days_before(year) + before + day - 1)
}

/// Reads the seconds, and returns whether the fraction of a second is 0.
fn read_datetime(text: &str) -> Option<(i64, bool)> {
    let (date, rest) = text.as_bytes().split_at_checked(10)?;
    let (time, rest) = rest.split_at_checked(9)?;
    let &[b'T' | b't' | b' ', h0, h1, b':', m0, m1, b':', s0, s1] = time else {
        return None;
    };
    let second = clock(&[h0, h1], &[m0, m1])? + number(&[s0, s1]).filter(|&second| second < 60)?;
    let (fraction, zone) = match rest {
        [b'.', rest @ ..] => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            rest.split_at(digits)
        }
        zone => (&b"0"[..], zone),
    };
    let ahead = match zone {
        b"Z" | b"z" => 0,
        &[b'+', h0, h1, b':', m0, m1] => clock(&[h0, h1], &[m0, m1])?,
        &[b'-', h0, h1, b':', m0, m1] => -clock(&[h0, h1], &[m0, m1])?,
        _ => return None,
    };
    let is_whole = fraction.iter().all(|&digit| digit == b'0');
    let seconds = read_date(date)? * SECONDS_A_DAY + second - ahead;
    (!fraction.is_empty()).then_some((seconds, is_whole))
}

/// Converts hours and minutes to seconds.
fn clock(hour: &[u8], minute: &[u8]) -> Option<i64> {
    let hour = number(hour).filter(|&hour| hour < 24)?;
    let minute = number(minute).filter(|&minute| minute < 60)?;
    Some(hour * 3600 + minute * 60)
}

/// Parses the number if all bytes are digits.
fn number(digits: &[u8]) -> Option<i64> {
    let mut number = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        number = number * 10 + i64::from(digit - b'0');
    }
    Some(number)
}

fn write_digits(text: &mut String, number: i64, digits: u32) {
    for position in (0..digits).rev() {
        let digit = number / 10_i64.pow(position) % 10;
        text.push(char::from(b'0' + digit as u8));
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use proptest::prelude::*;

    use super::*;

    fn datetime(text: &str) -> String {
        let mut written = String::new();
        write_datetime(&mut written, parse_datetime(text).unwrap());
        written
    }

    #[test]
    fn a_datetime_is_written_in_utc() {
        assert_eq!(datetime("2021-03-08T22:14:28Z"), "2021-03-08T22:14:28Z");
        assert_eq!(
            datetime("2021-03-08T22:14:28+01:00"),
            "2021-03-08T21:14:28Z"
        );
        assert_eq!(datetime("0000-01-01T00:00:00Z"), "0000-01-01T00:00:00Z");
        assert_eq!(datetime("1969-12-31T23:59:59Z"), "1969-12-31T23:59:59Z");
        assert_eq!(datetime("9999-12-31T23:59:59Z"), "9999-12-31T23:59:59Z");
    }

    #[test]
    fn a_date_round_trips() {
        for text in ["0000-01-01", "1900-02-28", "2000-02-29", "9999-12-31"] {
            let mut written = String::new();
            write_date(&mut written, parse_date(text).unwrap());
            assert_eq!(written, text);
        }
    }

    #[test]
    fn days_are_those_that_chrono_knows() {
        let mut written = String::new();
        // 400 years are 7 days more than a multiple of 10, so every day of them gets tested.
        for day in (FIRST_DAY..=LAST_DAY).step_by(10) {
            written.clear();
            write_date(&mut written, day);
            let date = NaiveDate::from_epoch_days(day as i32).unwrap();
            assert_eq!(written, date.to_string());
            assert_eq!(parse_date(&written), Ok(day));
        }
    }

    proptest! {
        /// Except for intentionally rejected texts: leap seconds, and offsets of more than a day.
        #[test]
        fn datetimes_are_read_as_chrono_reads_them(
            text in "(19|20|00|99)[0-9]{2}-[01][0-9]-[0-3][0-9][Tt _][0-2][0-9]:[0-6][0-9]:[0-5][0-9](\\.0{0,9}[0-9]?)?([Zz]|[+-][01][0-9]:[0-6][0-9])?"
        ) {
            let expected = chrono::DateTime::parse_from_rfc3339(&text).ok();
            let expected = expected.map(|time| (time.timestamp(), time.timestamp_subsec_nanos() == 0));
            let read = read_datetime(&text);
            prop_assert_eq!(read.map(|(seconds, _)| seconds), expected.map(|(seconds, _)| seconds));
            // chrono drops fractions of a nanosecond.
            if let (Some((_, true)), Some((_, whole))) = (read, expected) {
                prop_assert!(whole);
            }
        }

        #[test]
        fn no_text_is_a_panic(text in "\\PC{0,30}") {
            let _ = (parse_date(&text), parse_datetime(&text));
        }
    }

    #[test]
    fn an_invalid_date_says_what_a_date_looks_like() {
        insta::assert_snapshot!(parse_date("2021-02-30").unwrap_err(), @r#"must be a date such as "2021-03-08", but is "2021-02-30""#);
        insta::assert_snapshot!(parse_datetime("2021-03-08").unwrap_err(), @r#"must be a date and time such as "2021-03-08T22:14:28Z" (RFC 3339), but is "2021-03-08""#);
        insta::assert_snapshot!(parse_datetime("2021-03-08T22:14:28.5Z").unwrap_err(), @r#"must be a whole second, but is "2021-03-08T22:14:28.5Z""#);
        insta::assert_snapshot!(parse_datetime("0000-01-01T00:00:00+05:00").unwrap_err(), @r#"must be in the years 0000 to 9999 UTC, but is "0000-01-01T00:00:00+05:00""#);
    }
}
