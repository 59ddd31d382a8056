//! The time at which a run ended.

use std::time::{SystemTime, UNIX_EPOCH};

use super::identifier;

/// The time of a run, and an identifier that orders runs of the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// Microseconds since 1970 UTC.
    pub(super) time: i64,
    /// A UUID of version 7.
    pub(super) uuid: [u8; 16],
}

impl Moment {
    /// Creates a moment at that time.
    pub(super) fn at(time: i64) -> Self {
        Self {
            time,
            uuid: identifier::timed(time),
        }
    }

    /// Creates a moment later than `newest`.
    pub(super) fn after(newest: i64) -> Self {
        Self::at(time_after(now(), newest))
    }
}

/// Returns the current time, or the one right after `newest` if a clock was set back. A clock that
/// was more than a day ahead is ignored, since servers refuse such times.
pub(super) fn time_after(now: i64, newest: i64) -> i64 {
    const DAY: i64 = 24 * 60 * 60 * 1_000_000;
    match newest.saturating_sub(now) {
        0..=DAY => newest + 1,
        _ => now,
    }
}

/// Returns the microseconds since 1970 UTC.
pub(super) fn now() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_micros()).unwrap_or(i64::MAX),
        Err(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::time_after;

    #[test]
    fn a_clock_that_was_set_back_is_followed_for_a_day() {
        const NOW: i64 = 1_700_000_000_000_000;
        const DAY: i64 = 86_400_000_000;
        let times = [0, NOW - 1, NOW, NOW + DAY, NOW + DAY + 1, i64::MAX];
        let after = times.map(|newest| time_after(NOW, newest) - NOW);
        assert_eq!(after, [0, 0, 1, DAY + 1, 0, 0]);
    }
}
