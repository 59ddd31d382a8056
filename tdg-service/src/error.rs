//! Why the service refused.

use std::fmt;
use std::time::Duration;

use tdg_definition::Faults;
use uuid::Uuid;

/// What an identifier names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A project.
    Project,
    /// A definition.
    Definition,
    /// An ensemble.
    Ensemble,
    /// A benchmark.
    Benchmark,
}

impl Kind {
    /// The word for it: `project`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Project => "project",
            Kind::Definition => "definition",
            Kind::Ensemble => "ensemble",
            Kind::Benchmark => "benchmark",
        }
    }
}

/// Why an operation of the service was not done. Nothing of it was, except where
/// [`Unavailable`](ServiceError::Unavailable) says otherwise.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ServiceError {
    /// The account has no such thing (404).
    NotFound(Kind, Uuid),
    /// The request is no JSON of the right shape (400).
    Malformed(String),
    /// The request can be read, and breaks rules: all of them, with JSON Pointers into the request (422).
    Invalid(Faults),
    /// The idempotency key was used for another request (409).
    Conflict(String),
    /// The request is larger than the service takes (413).
    TooLarge(String),
    /// There is no key, or one that the service does not know (401).
    Unauthorized(String),
    /// The key is known and may not do this (403).
    Forbidden(String),
    /// Too many requests; after that time again (429).
    TooMany {
        /// How long to wait, where the service says so.
        retry_after: Option<Duration>,
    },
    /// The database or the server could not be reached, or gave up (503). Whether what was asked for
    /// happened may be unknown; repeating it with the same idempotency key is safe.
    Unavailable(String),
    /// What answered isn't a service that this tdg understands.
    Unexpected(String),
}

impl fmt::Display for ServiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServiceError::NotFound(kind, id) => write!(f, "there is no {} {id}", kind.name()),
            ServiceError::Invalid(faults) => write!(f, "{faults}"),
            ServiceError::TooMany { retry_after } => {
                f.write_str("too many requests")?;
                match retry_after {
                    Some(wait) => write!(f, "; try again in {} s", wait.as_secs()),
                    None => f.write_str("; try again later"),
                }
            }
            ServiceError::Malformed(message)
            | ServiceError::Conflict(message)
            | ServiceError::TooLarge(message)
            | ServiceError::Unauthorized(message)
            | ServiceError::Forbidden(message)
            | ServiceError::Unavailable(message)
            | ServiceError::Unexpected(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for ServiceError {}

impl From<Faults> for ServiceError {
    fn from(faults: Faults) -> Self {
        ServiceError::Invalid(faults)
    }
}
