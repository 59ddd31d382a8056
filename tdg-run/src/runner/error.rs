//! Why a run can't be judged.

use std::error::Error;
use std::fmt;

use tdg_report::{Failure, Invalid};

/// Why a run can't be judged: the test fails as `invalid`.
///
/// Not an [`Error`] itself, so that `?` makes it from all of them.
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

    /// Adds how to fix it.
    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }

    /// Says where: in which row, or in which of two functions.
    pub(super) fn within(self, place: impl fmt::Display) -> Self {
        Self {
            reason: format!("{place}: {}", self.reason),
            ..self
        }
    }

    /// As a failing test reports it.
    pub(super) fn failure(&self) -> Failure {
        Failure::Invalid(Invalid {
            reason: self.reason.clone(),
            hint: self.hint.clone(),
        })
    }

    #[cfg(test)]
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
