//! The ends of appointments, with durations as people enter them, including invalid ones.

use chrono::{DateTime, Utc};
use chronoutil::RelativeDuration;
use tdg::ensemble_test;

/// Both arms are outcomes: the text of an error is recorded in the same way as an end. chronoutil
/// 0.2 panics if chrono can't represent the end. The panic is recorded as well, so that the test
/// notices a version that no longer panics.
#[ensemble_test(
    definition = "definitions/appointments.json",
    size = 200,
    panics = "record"
)]
fn end(start: DateTime<Utc>, duration: &str) -> Result<DateTime<Utc>, String> {
    let duration = RelativeDuration::parse_from_iso8601(duration)?;
    Ok(start + duration)
}
