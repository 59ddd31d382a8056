//! The error for invalid configuration.

use std::error::Error;
use std::fmt;

/// An error in the configuration.
#[derive(Debug)]
pub struct ConfigError {
    message: String,
    cause: Option<Box<dyn Error + Send + Sync>>,
}

impl ConfigError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            cause: None,
        }
    }

    /// Creates an error whose message ends with the cause.
    pub(super) fn caused_by(message: &str, cause: impl Error + Send + Sync + 'static) -> Self {
        Self {
            message: format!("{message}: {cause}"),
            cause: Some(Box::new(cause)),
        }
    }

    pub(super) fn choices(name: &str, value: &str, choices: &str) -> Self {
        Self::new(format!("{name} must be one of {choices}, but is {value:?}"))
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for ConfigError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as _)
    }
}
