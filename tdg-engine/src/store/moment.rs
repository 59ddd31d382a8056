//! When a run ended.

use std::time::{SystemTime, UNIX_EPOCH};

use super::identifier;

/// The time of a run, and the identifier that orders runs of one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// Microseconds since 1970 UTC.
    pub(super) time: i64,
    /// A UUID of version 7.
    pub(super) uuid: [u8; 16],
}

impl Moment {
    /// A moment at that time.
    pub(super) fn at(time: i64) -> Self {
        Self {
            time,
            uuid: identifier::timed(time),
        }
    }

    /// Now, or just after the newest one if a clock was set back.
    pub(super) fn after(newest: i64) -> Self {
        Self::at(now().max(newest.saturating_add(1)))
    }
}

/// Microseconds since 1970 UTC.
pub(super) fn now() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_micros()).unwrap_or(i64::MAX),
        Err(_) => 0,
    }
}
