//! Why a policy can't be used.

use std::fmt;

use crate::Faults;

/// What is wrong with a policy, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyError(String);

impl PolicyError {
    /// The problem of one rule.
    pub(super) fn new(rule: impl fmt::Display, problem: impl fmt::Display) -> Self {
        Self(format!("{rule}: {problem}"))
    }
}

/// The faults of a policy in JSON, one a line.
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
