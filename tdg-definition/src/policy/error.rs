//! Errors in policies.

use std::fmt;

use crate::Faults;

/// An error in a policy, and the fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyError(String);

impl PolicyError {
    /// Creates the error of one rule.
    pub(super) fn new(rule: impl fmt::Display, problem: impl fmt::Display) -> Self {
        Self(format!("{rule}: {problem}"))
    }
}

/// Lists the faults of a policy in JSON, one per line.
impl From<Faults> for PolicyError {
    fn from(faults: Faults) -> Self {
        Self(faults.to_string())
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for PolicyError {}
