//! The time after which a row is named that is still running.

use std::time::Duration;

use super::environment::{Environment, variable};
use super::error::ConfigError;
use super::file::ConfigFile;

const DEFAULT: Duration = Duration::from_secs(10);

/// The time; `None` names no rows.
pub(super) fn slow_row(
    environment: Environment<'_>,
    file: &ConfigFile,
) -> Result<Option<Duration>, ConfigError> {
    let invalid =
        |text: &str| format!("must be a time such as 500ms, 10s or 2m, or off, but is {text:?}");
    if let Some(text) = variable(environment, "TDG_SLOW_ROW")? {
        return parse(&text)
            .ok_or_else(|| ConfigError::new(format!("TDG_SLOW_ROW {}", invalid(&text))));
    }
    match file.text("slow_row")? {
        None => Ok(Some(DEFAULT)),
        Some(text) => parse(text).ok_or_else(|| file.wrong("slow_row", invalid(text))),
    }
}

/// `Some(None)` is off, `None` is invalid.
fn parse(text: &str) -> Option<Option<Duration>> {
    if matches!(text, "off" | "0") {
        return Some(None);
    }
    let (number, unit) = text.split_at(text.find(|it: char| !it.is_ascii_digit())?);
    let milliseconds = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        _ => return None,
    };
    let time = Duration::from_millis(number.parse::<u64>().ok()?.checked_mul(milliseconds)?);
    Some((!time.is_zero()).then_some(time))
}
