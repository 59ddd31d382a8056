//! Errors that keep a run from being judged.

use std::error::Error;
use std::fmt;

use tdg_report::{Failure, InvalidRun};

/// The reason why a run can't be judged. The test fails as `invalid`.
///
/// This doesn't implement [`Error`], so that `?` can convert every error into it.
#[derive(Debug)]
pub struct RunError {
    reason: String,
    hint: Option<String>,
}

pub(crate) type Result<T, E = RunError> = std::result::Result<T, E>;

impl RunError {
    pub(super) fn new(reason: impl fmt::Display) -> Self {
        Self {
            reason: reason.to_string(),
            hint: None,
        }
    }

    /// Adds a hint about the fix.
    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }

    /// Adds the place: the row, or one of two functions.
    pub(super) fn within(self, place: impl fmt::Display) -> Self {
        Self {
            reason: format!("{place}: {}", self.reason),
            ..self
        }
    }

    /// Returns the failure that the test reports.
    pub(super) fn failure(&self) -> Failure {
        Failure::Invalid(InvalidRun {
            reason: self.reason.clone(),
            hint: self.hint.clone(),
        })
    }

    pub(super) fn text(&self) -> String {
        let hint = self.hint.as_deref();
        format!("{}\n{}", self.reason, hint.unwrap_or_default())
    }
}

impl<E: Error> From<E> for RunError {
    fn from(error: E) -> Self {
        Self::new(error)
    }
}
