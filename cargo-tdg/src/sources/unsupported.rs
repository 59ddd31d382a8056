//! Limits of the code that tests can have.

use std::fmt;

/// The reason why a test can't name a type, or make a value of it: `has a private type`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported(String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for Unsupported {
    fn from(reason: String) -> Self {
        Self(reason)
    }
}

impl From<&str> for Unsupported {
    fn from(reason: &str) -> Self {
        Self(reason.to_owned())
    }
}
