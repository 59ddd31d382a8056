//! Dates in other orders, with names of months, and with times.

use std::borrow::Cow;

use tdg_definition::calendar;

/// A way to write dates, with or without a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct DateNotation {
    order: DateOrder,
    /// The first two digits of the year, if years have only two. Empty otherwise.
    century: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DateOrder {
    YearMonthDay,
    DayMonthYear,
    MonthDayYear,
    NameOfMonth,
}

const MONTHS: &str =
    "january february march april may june july august september october november december";
const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

impl DateNotation {
    pub(super) fn all() -> impl Iterator<Item = Self> {
        use DateOrder::*;
        ["", "20"].into_iter().flat_map(|century| {
            let orders = [YearMonthDay, DayMonthYear, MonthDayYear, NameOfMonth];
            orders.map(|order| Self { order, century })
        })
    }

    /// Returns true if years have two digits, so that their century is unknown.
    pub(super) fn has_short_years(self) -> bool {
        !self.century.is_empty()
    }

    pub(super) fn name(self) -> &'static str {
        match self.order {
            DateOrder::YearMonthDay => "in the order year, month, day",
            DateOrder::DayMonthYear => "in the order day, month, year",
            DateOrder::MonthDayYear => "in the order month, day, year",
            DateOrder::NameOfMonth => "with names of months",
        }
    }

    /// Converts the date or time to the definition's notation.
    pub(super) fn plain(self, text: &str) -> Option<String> {
        if !text.contains(|it: char| it.is_ascii_digit()) {
            return None;
        }
        let (date, clock) = match text.find(':') {
            Some(colon) => {
                let end = text[..colon].rfind([' ', 'T'])?;
                (&text[..end], Some(&text[end + 1..]))
            }
            None => (text, None),
        };
        let (year, month, day) = self.parts(date.trim_end_matches([' ', ',']))?;
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let has_digits = [month.len(), day.len()]
            .iter()
            .all(|length| (1..=2).contains(length));
        if year.len() + self.century.len() != 4 || !has_digits || !is_number(year) {
            return None;
        }
        let date = format!("{}{year}-{month:0>2}-{day:0>2}", self.century);
        calendar::parse_date(&date).ok()?;
        match clock {
            Some(clock) => Some(format!("{date}T{}", plain_clock(clock)?)),
            None => Some(date),
        }
    }

    /// Splits a date into year, month and day.
    fn parts(self, date: &str) -> Option<(&str, Cow<'_, str>, &str)> {
        let is_separator = |it: char| !it.is_alphanumeric();
        let mut parts = date.split(is_separator).filter(|part| !part.is_empty());
        let mut first = parts.next()?;
        if self.order == DateOrder::NameOfMonth && is_weekday(first) {
            first = parts.next()?;
        }
        let [a, b, c] = [first, parts.next()?, parts.next()?];
        if parts.next().is_some() {
            return None;
        }
        let (year, month, day) = match self.order {
            DateOrder::NameOfMonth => return named(a, b, c),
            DateOrder::YearMonthDay => (a, b, c),
            DateOrder::DayMonthYear => (c, b, a),
            DateOrder::MonthDayYear => (c, a, b),
        };
        let mut separators = date.matches(is_separator);
        let (one, other) = (separators.next()?, separators.next()?);
        let is_date = one == other && separators.next().is_none() && ["/", ".", "-"].contains(&one);
        is_date.then_some((year, month.into(), day))
    }
}

fn is_weekday(text: &str) -> bool {
    let start = text.get(..3).unwrap_or_default();
    WEEKDAYS
        .iter()
        .any(|weekday| start.eq_ignore_ascii_case(weekday))
}

/// Returns year, month and day of `8 March 2021`, `Mar 8 2021` or `2021-Mar-08`.
fn named<'a>(a: &'a str, b: &'a str, c: &'a str) -> Option<(&'a str, Cow<'a, str>, &'a str)> {
    let month = |text: &str| {
        let is_name = |name: &str| text.len() >= 3 && name.starts_with(&text.to_lowercase());
        let position = MONTHS.split(' ').position(is_name)?;
        Some(Cow::Owned((position + 1).to_string()))
    };
    match (month(a), month(b)) {
        (Some(month), None) => Some((c, month, b)),
        (None, Some(month)) if a.len() == 4 => Some((a, month, c)),
        (None, Some(month)) => Some((c, month, a)),
        _ => None,
    }
}

/// Converts the time of day with its zone, which defaults to UTC.
fn plain_clock(text: &str) -> Option<String> {
    let end = text.find(|it: char| !it.is_ascii_digit() && it != ':' && it != '.');
    let (clock, rest) = text.split_at(end.unwrap_or(text.len()));
    let mut parts = clock.split(':');
    let (hour, minute, second) = (parts.next()?, parts.next()?, parts.next().unwrap_or("00"));
    let rest = rest
        .trim()
        .to_ascii_uppercase()
        .replace("M.", "M")
        .replace(".M", "M");
    let mut hour: u32 = hour.parse().ok().filter(|_| hour.len() <= 2)?;
    let zone = match rest.as_str() {
        "" | "Z" | "UTC" | "GMT" => "Z",
        "AM" | "PM" if !(1..=12).contains(&hour) => return None,
        half @ ("AM" | "PM") => {
            hour = hour % 12 + if half == "PM" { 12 } else { 0 };
            "Z"
        }
        zone => zone,
    };
    Some(format!("{hour:02}:{minute}:{second}{zone}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the distinct readings of a text in all notations.
    fn read(text: &str) -> Vec<String> {
        let mut all: Vec<_> = DateNotation::all()
            .filter_map(|it| it.plain(text))
            .collect();
        all.sort();
        all.dedup();
        all
    }

    #[test]
    fn a_date_is_read_in_every_order_that_it_may_have() {
        assert_eq!(read("25/12/2021"), ["2021-12-25"]);
        assert_eq!(read("12/25/2021"), ["2021-12-25"]);
        assert_eq!(read("25.12.2021"), ["2021-12-25"]);
        assert_eq!(read("2021/12/25"), ["2021-12-25"]);
        assert_eq!(read("3/4/2021"), ["2021-03-04", "2021-04-03"]);
        assert_eq!(read("29-02-00"), ["2000-02-29"]);
        for text in [
            "30/02/2021",
            "1.2.3.4",
            "25/12-2021",
            "+1/2/2021",
            "1/2",
            "x",
            "12.5",
        ] {
            assert!(read(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn months_may_have_names() {
        for text in [
            "Mar 8 2021",
            "8 March 2021",
            "8-mar-2021",
            "March 8, 2021",
            "Mon, 08 Mar 2021",
            "2021-Mar-08",
        ] {
            assert_eq!(read(text), ["2021-03-08"], "{text}");
        }
        assert_eq!(read("8-Mar-21"), ["2021-03-08"]);
        for text in ["Mar 2021", "8 Ma 2021", "8 Marching 2021", "31 Feb 2021"] {
            assert!(read(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_time_may_follow() {
        assert_eq!(read("25/12/2021 9:30"), ["2021-12-25T09:30:00Z"]);
        assert_eq!(read("25.12.2021 10:30:05"), ["2021-12-25T10:30:05Z"]);
        assert_eq!(read("12/25/2021 12:05 AM"), ["2021-12-25T00:05:00Z"]);
        assert_eq!(read("12/25/2021, 1:05:09 p.m."), ["2021-12-25T13:05:09Z"]);
        assert_eq!(read("2021-12-25 10:30"), ["2021-12-25T10:30:00Z"]);
        assert_eq!(
            read("2021/12/25T10:30:05.25+01:00"),
            ["2021-12-25T10:30:05.25+01:00"]
        );
        assert_eq!(
            read("Sat, 25 Dec 2021 10:30:05 GMT"),
            ["2021-12-25T10:30:05Z"]
        );
        assert!(read("12/25/2021 13:05 PM").is_empty());
    }
}
