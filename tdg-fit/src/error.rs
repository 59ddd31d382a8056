//! The error of reading or fitting a table.

use std::error::Error;
use std::fmt::{self, Display};

/// An error for a table that can't be read or fitted. The message says what is wrong, where, and
/// how to fix it.
#[derive(Debug)]
pub struct FitError {
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl FitError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            source: None,
        }
    }

    /// Creates an error with the message of its cause.
    pub(crate) fn from_cause(cause: impl Error + Send + Sync + 'static) -> Self {
        Self::new(cause.to_string()).caused_by(cause)
    }

    pub(crate) fn caused_by(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Box::new(source));
        self
    }
}

impl Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for FitError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.source {
            Some(source) => Some(&**source),
            None => None,
        }
    }
}
