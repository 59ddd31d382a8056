//! Times for people.

use tdg_definition::calendar;

/// Milliseconds since 1970 as `2024-05-31 12:00:05`, UTC.
pub(crate) fn time(milliseconds: i64) -> String {
    let mut text = String::new();
    calendar::write_datetime(&mut text, milliseconds.div_euclid(1000));
    text.replace('T', " ").replace('Z', "")
}
