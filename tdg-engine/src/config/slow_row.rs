//! The time after which a row that is still running is reported.

use std::time::Duration;

use super::environment::{Environment, variable};
use super::error::ConfigError;
use super::file::ConfigFile;
use super::time::parse_time;

const DEFAULT: Duration = Duration::from_secs(10);

/// Returns the time, or `None` to report no rows.
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

/// Parses the time. `Some(None)` is off, `None` is invalid.
fn parse(text: &str) -> Option<Option<Duration>> {
    let time = match text {
        "off" => Duration::ZERO,
        _ => parse_time(text)?,
    };
    Some((!time.is_zero()).then_some(time))
}
