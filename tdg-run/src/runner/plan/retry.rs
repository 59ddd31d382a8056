//! The attempt of nextest that this run belongs to.

use tdg_engine::config::Environment;

/// The attempt of a run, if it isn't the first.
#[derive(Clone, Copy)]
pub(crate) struct Retry {
    pub(crate) attempt: usize,
    /// The maximum number of attempts.
    pub(crate) attempts: usize,
}

impl Retry {
    /// Reads the variables that nextest sets for each test.
    pub(crate) fn from_environment(environment: Environment<'_>) -> Option<Self> {
        let number = |name| environment(name)?.to_str()?.parse().ok();
        let attempt = number("NEXTEST_ATTEMPT").filter(|&attempt| attempt > 1)?;
        Some(Self {
            attempt,
            attempts: number("NEXTEST_TOTAL_ATTEMPTS").unwrap_or(attempt),
        })
    }
}
