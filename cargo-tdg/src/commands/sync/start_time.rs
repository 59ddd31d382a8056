//! `--since`: a date, or a revision of git.

use std::path::Path;

use tdg_definition::calendar;
use tdg_service::Timestamp;

use crate::error::{Error, Result};
use crate::git;

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// Parses a time.
pub(super) fn since(text: &str, directory: &Path) -> Result<Timestamp> {
    if let Some(time) = date(text) {
        return Ok(time);
    }
    match git::commit_time(directory, text) {
        Ok(seconds) => Ok(Timestamp::from_micros(seconds.saturating_mul(SECOND))),
        Err(error) => Err(Error::new(format!(
            "--since {text:?} is neither a date such as 2026-05-31 or 2026-05-31T12:00:00Z nor a \
             revision: {error}"
        ))),
    }
}

fn date(text: &str) -> Option<Timestamp> {
    let micros = match calendar::parse_date(text) {
        Ok(days) => days.checked_mul(DAY)?,
        Err(_) => calendar::parse_datetime(text).ok()?.checked_mul(SECOND)?,
    };
    Some(Timestamp::from_micros(micros))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_begins_at_midnight() {
        let of = |text| date(text).map(Timestamp::to_precise);
        let midnight = Some("2026-05-31 00:00:00.000000".to_owned());
        assert_eq!(of("2026-05-31"), midnight);
        assert_eq!(of("2026-05-31T00:00:00Z"), midnight);
        for text in ["", "main", "2026-05", "2026-02-30", "31.5.2026"] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
