//! Times in output and in options.

use std::time::{Duration, Instant};

use tdg_definition::calendar;
use tdg_engine::config;

/// Formats microseconds since 1970 as `2024-05-31 12:00:05`, in UTC.
pub(crate) fn time(microseconds: i64) -> String {
    date_time(microseconds).replace('T', " ").replace('Z', "")
}

/// Formats microseconds since 1970 for programs: `2024-05-31T12:00:05Z`.
pub(crate) fn date_time(microseconds: i64) -> String {
    let mut text = String::new();
    calendar::write_datetime(&mut text, microseconds.div_euclid(1_000_000));
    text
}

/// Parses the time of an option: `20` or `20s`, `500ms`, `5m` or `1h`.
pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    let most = |time: &Duration| Instant::now().checked_add(*time).is_some();
    let time = config::parse_time(text).filter(most);
    time.ok_or_else(|| "write it as 90s, 5m or 1h; a number alone is seconds".to_owned())
}

/// Formats a duration as `12 ms`.
pub(crate) fn duration(duration: Duration) -> String {
    match duration.as_millis() {
        0 => "< 1 ms".to_owned(),
        milliseconds @ 1..10_000 => format!("{milliseconds} ms"),
        milliseconds => format!("{} s", milliseconds / 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_an_option_has_a_unit_or_is_in_seconds() {
        let seconds = |text| parse_time(text).map(|time| time.as_secs_f64());
        for (text, time) in [
            ("20", 20.0),
            ("20s", 20.0),
            ("500ms", 0.5),
            ("1m", 60.0),
            ("1h", 3600.0),
            ("0", 0.0),
        ] {
            assert_eq!(seconds(text), Ok(time), "{text}");
        }
        for text in ["", "s", "1.5s", "-1", "20 s", "1d", "18446744073709551615h"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
