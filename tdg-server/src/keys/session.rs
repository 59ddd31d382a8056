//! Sessions of users who have signed in to the pages by a key.

use std::time::Duration;

use tdg_service::Timestamp;

/// The lifetime of an unused session, and the maximum lifetime.
const IDLE: Duration = Duration::from_secs(8 * 60 * 60);
const MOST: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The maximum error of the stored time of last use.
const NOTED: Duration = Duration::from_secs(5 * 60);

/// The times of signing in and of the last use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SignInTimes {
    pub(crate) begun: Timestamp,
    pub(crate) used: Timestamp,
}

impl SignInTimes {
    /// Returns true if the session has ended.
    pub(crate) fn are_over(self, now: Timestamp) -> bool {
        since(self.used, now) > IDLE || since(self.begun, now) > MOST
    }

    /// Returns true if the time of last use must be updated.
    pub(crate) fn are_stale(self, now: Timestamp) -> bool {
        since(self.used, now) > NOTED
    }

    /// Returns the earliest beginning of a session that may still be valid.
    pub(crate) fn oldest(now: Timestamp) -> Timestamp {
        Timestamp::from_micros(now.as_micros().saturating_sub(MOST.as_micros() as i64))
    }
}

fn since(time: Timestamp, now: Timestamp) -> Duration {
    let micros = now.as_micros().saturating_sub(time.as_micros());
    Duration::from_micros(micros.max(0).unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_ends_after_eight_idle_hours_or_seven_days() {
        const HOUR: i64 = 3_600_000_000;
        let at = |hours: i64| Timestamp::from_micros(hours * HOUR);
        let times = |used| SignInTimes {
            begun: at(0),
            used: at(used),
        };
        assert!(!times(0).are_over(at(8)));
        assert!(times(0).are_over(Timestamp::from_micros(8 * HOUR + 1)));
        assert!(!times(167).are_over(at(168)));
        assert!(times(168).are_over(Timestamp::from_micros(168 * HOUR + 1)));
        assert!(times(1).are_stale(at(2)) && !times(2).are_stale(at(2)));
        assert_eq!(SignInTimes::oldest(at(170)), at(2));
    }
}
