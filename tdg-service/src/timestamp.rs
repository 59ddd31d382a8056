//! Points in time, in the two notations of the interface.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use tdg_definition::calendar;

const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const MICROS: i64 = 1_000_000;
const DAY: i64 = 86_400;

/// A point in time: microseconds since 1970 UTC.
///
/// ```
/// use tdg_service::Timestamp;
///
/// let added = Timestamp::from_micros(1_615_241_668_473_646);
/// assert_eq!(added.to_http_date(), "Mon, 08 Mar 2021 22:14:28 GMT");
/// assert_eq!(added.to_precise(), "2021-03-08 22:14:28.473646");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The earliest time with a text: the beginning of the year 1.
    pub const MIN: Self = Self(-62_135_596_800 * MICROS);
    /// The latest time with a text: the end of the year 9999.
    pub const MAX: Self = Self(253_402_300_800 * MICROS - 1);

    /// Returns the current time. It is later than every earlier result in this process, so that all
    /// objects of a process are ordered.
    pub fn now() -> Self {
        static LAST: AtomicI64 = AtomicI64::new(0);
        let clock = match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_micros()).unwrap_or(i64::MAX - 1),
            Err(_) => 0,
        };
        let next = |last: i64| Some(clock.max(last.saturating_add(1)));
        match LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next) {
            Ok(last) | Err(last) => Self(clock.max(last.saturating_add(1))),
        }
    }

    /// Creates a time `micros` microseconds after 1970-01-01 00:00:00 UTC.
    pub fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Returns the microseconds since 1970 UTC.
    pub fn as_micros(self) -> i64 {
        self.0
    }

    /// Formats the time to the second, as everything but features has it:
    /// `Mon, 08 Mar 2021 22:14:28 GMT`.
    pub fn to_http_date(self) -> String {
        let mut text = String::with_capacity(29);
        self.write_http_date(&mut text);
        text
    }

    /// Appends the HTTP date without allocating, because a history has a hundred of them.
    pub(super) fn write_http_date(self, text: &mut String) {
        let seconds = self.0.div_euclid(MICROS);
        let (days, second) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        let (year, month, day) = calendar::date_of(days);
        let mut date = *b"Thu, 01 Jan 1970 00:00:00 GMT";
        date[..3].copy_from_slice(WEEKDAYS[days.rem_euclid(7) as usize].as_bytes());
        date[8..11].copy_from_slice(MONTHS[(month - 1) as usize].as_bytes());
        let numbers = [
            (5, day),
            (12, year / 100),
            (14, year % 100),
            (17, second / 3600),
            (20, second / 60 % 60),
            (23, second % 60),
        ];
        for (place, number) in numbers {
            date[place] = b'0' + (number / 10) as u8;
            date[place + 1] = b'0' + (number % 10) as u8;
        }
        text.push_str(str::from_utf8(&date).unwrap_or_default());
    }

    /// Formats the time to the microsecond, as features have it: `2021-03-08 22:14:28.473646`.
    pub fn to_precise(self) -> String {
        let (date, time) = date_and_time(self.0.div_euclid(MICROS));
        format!("{date} {time}.{:06}", self.0.rem_euclid(MICROS))
    }

    /// Parses the format of [`to_http_date`](Self::to_http_date).
    pub fn parse_http_date(text: &str) -> Option<Self> {
        let rest = text.get(5..)?.strip_suffix(" GMT")?;
        let (day, rest) = rest.split_once(' ')?;
        let (month, rest) = rest.split_once(' ')?;
        let (year, time) = rest.split_once(' ')?;
        let month = MONTHS.iter().position(|name| *name == month)? + 1;
        let read = calendar::parse_datetime(&format!("{year}-{month:02}-{day}T{time}Z"));
        let found = Self(read.ok()?.checked_mul(MICROS)?);
        (found.to_http_date() == text).then_some(found)
    }

    /// Parses the format of [`to_precise`](Self::to_precise).
    pub fn parse_precise(text: &str) -> Option<Self> {
        let (seconds, micros) = text.split_once('.')?;
        let read = calendar::parse_datetime(&format!("{}Z", seconds.replacen(' ', "T", 1)));
        let micros: i64 = micros.parse().ok()?;
        let found = Self(read.ok()?.checked_mul(MICROS)?.checked_add(micros)?);
        (found.to_precise() == text).then_some(found)
    }
}

/// Returns the date and the time of day, such as `2021-03-08` and `22:14:28`.
fn date_and_time(seconds: i64) -> (String, String) {
    let mut text = String::with_capacity(20);
    calendar::write_datetime(&mut text, seconds);
    let time = text[11..19].to_owned();
    text.truncate(10);
    (text, time)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn days_are_padded_and_weekdays_right() {
        let date = |micros| Timestamp::from_micros(micros).to_http_date();
        assert_eq!(date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(date(-1), "Wed, 31 Dec 1969 23:59:59 GMT");
        assert_eq!(date(951_782_400_000_000), "Tue, 29 Feb 2000 00:00:00 GMT");
    }

    #[test]
    fn what_is_later_in_a_process_is_greater() {
        let times: Vec<_> = (0..1000).map(|_| Timestamp::now()).collect();
        assert!(times.is_sorted_by(|earlier, later| earlier < later));
    }

    #[test]
    fn the_first_and_the_last_have_a_text() {
        let [first, last] = [Timestamp::MIN, Timestamp::MAX];
        assert_eq!(first.to_precise(), "0001-01-01 00:00:00.000000");
        assert_eq!(last.to_precise(), "9999-12-31 23:59:59.999999");
        for time in [first, last] {
            assert_eq!(Timestamp::parse_precise(&time.to_precise()), Some(time));
        }
    }

    proptest! {
        #[test]
        fn both_notations_are_read_back(micros in 0..253_402_300_800_000_000_i64) {
            let time = Timestamp::from_micros(micros);
            prop_assert_eq!(Timestamp::parse_precise(&time.to_precise()), Some(time));
            let second = Timestamp::from_micros(micros / MICROS * MICROS);
            prop_assert_eq!(Timestamp::parse_http_date(&time.to_http_date()), Some(second));
        }

        #[test]
        fn other_text_is_refused_and_nothing_panics(text in "\\PC{0,40}") {
            prop_assert_eq!(Timestamp::parse_http_date(&text), None);
            prop_assert_eq!(Timestamp::parse_precise(&text), None);
        }
    }
}
