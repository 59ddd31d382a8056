//! Dates and times between their text and a number.

use chrono::{DateTime, NaiveDate, Timelike};

const SECONDS_A_DAY: i64 = 86_400;
/// 0000-01-01, in days since 1970-01-01.
const FIRST_DAY: i64 = -719_528;
/// 9999-12-31, in days since 1970-01-01.
const LAST_DAY: i64 = 2_932_896;

/// The seconds since 1970-01-01T00:00:00Z of an RFC 3339 text such as `2021-03-08T22:14:28Z`.
///
/// # Errors
/// What is wrong with the text and what would be right.
pub fn parse_datetime(text: &str) -> Result<i64, String> {
    let Ok(parsed) = DateTime::parse_from_rfc3339(text) else {
        return Err(format!(
            "must be a date and time such as \"2021-03-08T22:14:28Z\" (RFC 3339), but is {text:?}"
        ));
    };
    if parsed.nanosecond() != 0 {
        return Err(format!("must be a whole second, but is {text:?}"));
    }
    let seconds = parsed.timestamp();
    if (FIRST_DAY..=LAST_DAY).contains(&seconds.div_euclid(SECONDS_A_DAY)) {
        Ok(seconds)
    } else {
        Err(format!(
            "must be in the years 0000 to 9999 UTC, but is {text:?}"
        ))
    }
}

/// The days since 1970-01-01 of a text such as `2021-03-08`.
///
/// # Errors
/// What is wrong with the text and what would be right.
pub fn parse_date(text: &str) -> Result<i64, String> {
    // chrono takes `+2021-3-8` as well.
    let shape = text.len() == 10 && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    match text.parse::<NaiveDate>() {
        Ok(date) if shape => Ok(i64::from(date.to_epoch_days())),
        _ => Err(format!(
            "must be a date such as \"2021-03-08\", but is {text:?}"
        )),
    }
}

/// Appends `2021-03-08T22:14:28Z`: always 20 bytes.
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

/// Appends `2021-03-08`: always 10 bytes. Days beyond the years 0000 to 9999 are written as the nearest.
pub fn write_date(text: &mut String, days: i64) {
    use chrono::Datelike;
    let days = days.clamp(FIRST_DAY, LAST_DAY);
    let date = i32::try_from(days)
        .ok()
        .and_then(NaiveDate::from_epoch_days)
        .unwrap_or_default();
    write_digits(text, i64::from(date.year()), 4);
    text.push('-');
    write_digits(text, i64::from(date.month()), 2);
    text.push('-');
    write_digits(text, i64::from(date.day()), 2);
}

fn write_digits(text: &mut String, number: i64, digits: u32) {
    for position in (0..digits).rev() {
        let digit = number / 10_i64.pow(position) % 10;
        text.push(char::from(b'0' + digit as u8));
    }
}

#[cfg(test)]
mod tests {
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
    fn what_is_no_date_says_what_one_looks_like() {
        insta::assert_snapshot!(parse_date("2021-02-30").unwrap_err(), @r#"must be a date such as "2021-03-08", but is "2021-02-30""#);
        insta::assert_snapshot!(parse_datetime("2021-03-08").unwrap_err(), @r#"must be a date and time such as "2021-03-08T22:14:28Z" (RFC 3339), but is "2021-03-08""#);
        insta::assert_snapshot!(parse_datetime("2021-03-08T22:14:28.5Z").unwrap_err(), @r#"must be a whole second, but is "2021-03-08T22:14:28.5Z""#);
        insta::assert_snapshot!(parse_datetime("0000-01-01T00:00:00+05:00").unwrap_err(), @r#"must be in the years 0000 to 9999 UTC, but is "0000-01-01T00:00:00+05:00""#);
    }
}
