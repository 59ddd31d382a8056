//! Times for people.

use std::time::Duration;

use tdg_definition::calendar;

/// Microseconds since 1970 as `2024-05-31 12:00:05`, UTC.
pub(crate) fn time(microseconds: i64) -> String {
    let mut text = String::new();
    calendar::write_datetime(&mut text, microseconds.div_euclid(1_000_000));
    text.replace('T', " ").replace('Z', "")
}

/// `12 ms`.
pub(crate) fn duration(duration: Duration) -> String {
    match duration.as_millis() {
        0 => "< 1 ms".to_owned(),
        milliseconds @ 1..10_000 => format!("{milliseconds} ms"),
        milliseconds => format!("{} s", milliseconds / 1000),
    }
}
