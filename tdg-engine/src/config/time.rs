//! The lengths of times in settings.

use std::time::Duration;

/// Parses `500ms`, `20s`, `2m` or `1h`; a bare number means seconds.
///
/// ```
/// use std::time::Duration;
///
/// use tdg_engine::config::parse_time;
///
/// assert_eq!(parse_time("2m"), Some(Duration::from_secs(120)));
/// assert_eq!(parse_time("20"), parse_time("20s"));
/// assert_eq!(parse_time("1.5s"), None);
/// ```
pub fn parse_time(text: &str) -> Option<Duration> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let milliseconds = match unit {
        "ms" => 1,
        "" | "s" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    let number = number.parse::<u64>().ok()?;
    number.checked_mul(milliseconds).map(Duration::from_millis)
}
