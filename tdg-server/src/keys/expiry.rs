//! The lifetime of a key.

use std::str::FromStr;

use tdg_service::Timestamp;

const MICROS_AN_HOUR: i64 = 3_600_000_000;

/// A duration of days or hours: `90d` or `12h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lifetime {
    hours: i64,
}

impl Lifetime {
    pub(crate) fn of_days(days: u16) -> Self {
        Lifetime {
            hours: 24 * i64::from(days),
        }
    }

    /// Returns the end of the duration that begins at a time.
    pub(crate) fn end(self, begin: Timestamp) -> Timestamp {
        let micros = self.hours.saturating_mul(MICROS_AN_HOUR);
        Timestamp::from_micros(begin.as_micros().saturating_add(micros))
    }

    /// Returns the beginning of the duration that ends at a time.
    pub(crate) fn begin(self, end: Timestamp) -> Timestamp {
        let micros = self.hours.saturating_mul(MICROS_AN_HOUR);
        Timestamp::from_micros(end.as_micros().saturating_sub(micros))
    }
}

impl FromStr for Lifetime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, hours) = match text.strip_suffix('d') {
            Some(days) => (days, 24),
            None => (text.strip_suffix('h').unwrap_or_default(), 1),
        };
        match number.parse::<u16>() {
            Ok(number) if number > 0 => Ok(Lifetime {
                hours: i64::from(number) * hours,
            }),
            _ => Err(format!(
                "`{text}` is not a duration of days or hours such as `90d` or `12h`"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lifetime_is_days_or_hours() {
        let end = |text: &str| {
            text.parse::<Lifetime>()
                .unwrap()
                .end(Timestamp::from_micros(0))
        };
        assert_eq!(end("36h").to_http_date(), "Fri, 02 Jan 1970 12:00:00 GMT");
        assert_eq!(end("31d").to_http_date(), "Sun, 01 Feb 1970 00:00:00 GMT");
        let later: Lifetime = "31d".parse().unwrap();
        let begin = later.begin(Timestamp::from_micros(0));
        assert_eq!(begin.to_http_date(), "Mon, 01 Dec 1969 00:00:00 GMT");
        for text in ["", "d", "0d", "-1d", "1w", "1.5d", "99999d", "90"] {
            assert!(text.parse::<Lifetime>().is_err(), "{text}");
        }
    }
}
