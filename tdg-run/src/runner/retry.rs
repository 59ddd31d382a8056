//! The attempt of nextest that a run is.

use tdg_engine::config::Environment;

/// The attempt that a run is, if it is not the first.
#[derive(Clone, Copy)]
pub(super) struct Retry {
    pub(super) attempt: usize,
    /// How many there may be.
    pub(super) attempts: usize,
}

impl Retry {
    /// nextest sets the variables for each test.
    pub(super) fn of(environment: Environment<'_>) -> Option<Self> {
        let number = |name| environment(name)?.to_str()?.parse().ok();
        let attempt = number("NEXTEST_ATTEMPT").filter(|&attempt| attempt > 1)?;
        Some(Self {
            attempt,
            attempts: number("NEXTEST_TOTAL_ATTEMPTS").unwrap_or(attempt),
        })
    }
}
