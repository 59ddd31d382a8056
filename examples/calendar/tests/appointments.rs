//! When appointments end: durations as people enter them, of which some are wrong.

use chrono::{DateTime, Utc};
use chronoutil::RelativeDuration;
use tdg::ensemble_test;

/// Both arms are outcomes: the text of an error is recorded as the end of an appointment is.
/// chronoutil 0.2 panics where the end is beyond what chrono can hold. That is recorded as well, so
/// that a version which no longer does is noticed.
#[ensemble_test(
    definition = "definitions/appointments.json",
    size = 200,
    panics = "record"
)]
fn end(start: DateTime<Utc>, duration: &str) -> Result<DateTime<Utc>, String> {
    let duration = RelativeDuration::parse_from_iso8601(duration)?;
    Ok(start + duration)
}
