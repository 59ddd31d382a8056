//! Errors of the service.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tdg_definition::Faults;
use uuid::Uuid;

/// The kind of object that an identifier names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ObjectKind {
    /// A project.
    Project,
    /// A definition.
    Definition,
    /// An ensemble.
    Ensemble,
    /// A benchmark.
    Benchmark,
}

// The names in messages and paths.
tdg_definition::names!(ObjectKind::name {
    Project = "project", Definition = "definition", Ensemble = "ensemble", Benchmark = "benchmark",
});

/// An error of a service operation. The operation had no effect, except where
/// [`Unavailable`](ServiceError::Unavailable) says otherwise.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ServiceError {
    /// The account has no such object (404).
    NotFound(ObjectKind, Uuid),
    /// The request is not JSON of the right shape (400).
    Malformed(Message),
    /// The request is well-formed but breaks rules (422). All faults are included, with JSON
    /// Pointers into the request.
    Invalid(Faults),
    /// The idempotency key was already used for a different request, or an ensemble's rows can't be
    /// drawn again as recorded (409).
    Conflict(Message),
    /// The request is larger than the service accepts (413).
    TooLarge(Message),
    /// The API key is missing or unknown to the service (401).
    Unauthorized(Message),
    /// The API key lacks the scope for this operation (403).
    Forbidden(Message),
    /// Too many requests (429).
    TooMany {
        /// The time to wait before retrying, if the service sent one.
        retry_after: Option<Duration>,
    },
    /// The database or the server could not be reached, or gave up (503). The operation may or may
    /// not have happened; repeating it with the same idempotency key is safe.
    Unavailable(Message),
    /// Nothing can be stored at the moment, as when a disk is full. Reading still works (503).
    Unwritable(Message),
    /// The answer isn't from a service that this version of tdg understands, or stored data is
    /// damaged.
    Unexpected(Message),
}

/// Returns the message of an error that has one.
macro_rules! each_message {
    ($error:expr) => {
        match $error {
            ServiceError::Malformed(message)
            | ServiceError::Conflict(message)
            | ServiceError::TooLarge(message)
            | ServiceError::Unauthorized(message)
            | ServiceError::Forbidden(message)
            | ServiceError::Unavailable(message)
            | ServiceError::Unwritable(message)
            | ServiceError::Unexpected(message) => Some(message),
            ServiceError::NotFound(..)
            | ServiceError::Invalid(_)
            | ServiceError::TooMany { .. } => None,
        }
    };
}

impl ServiceError {
    /// Creates an [`Unavailable`](ServiceError::Unavailable).
    pub fn unavailable(message: impl Into<Message>) -> Self {
        ServiceError::Unavailable(message.into())
    }

    /// Creates an [`Unwritable`](ServiceError::Unwritable).
    pub fn unwritable(message: impl Into<Message>) -> Self {
        ServiceError::Unwritable(message.into())
    }

    /// Creates an [`Unexpected`](ServiceError::Unexpected).
    pub fn unexpected(message: impl Into<Message>) -> Self {
        ServiceError::Unexpected(message.into())
    }

    pub(crate) fn malformed(message: impl Into<Message>) -> Self {
        ServiceError::Malformed(message.into())
    }

    /// Returns the same error with a cause, which becomes its [`source`](Error::source).
    #[must_use]
    pub fn caused_by(mut self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        if let Some(message) = self.message_mut() {
            message.source = Some(Arc::from(cause.into()));
        }
        self
    }

    fn message(&self) -> Option<&Message> {
        each_message!(self)
    }

    fn message_mut(&mut self) -> Option<&mut Message> {
        each_message!(self)
    }
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
            other => f.write_str(other.message().map_or("", |it| &it.text)),
        }
    }
}

impl Error for ServiceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ServiceError::Invalid(faults) => Some(faults),
            other => other.message()?.source(),
        }
    }
}

impl From<Faults> for ServiceError {
    fn from(faults: Faults) -> Self {
        ServiceError::Invalid(faults)
    }
}

/// The text of an error, which includes the cause, along with the error that caused it.
#[derive(Clone, Debug)]
pub struct Message {
    text: String,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

impl Message {
    pub(crate) fn source(&self) -> Option<&(dyn Error + 'static)> {
        let source = self.source.as_deref()?;
        Some(source)
    }

    #[cfg(feature = "client")]
    pub(crate) fn caused_by(mut self, cause: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(cause));
        self
    }
}

/// Two messages are equal if they have the same text.
impl PartialEq for Message {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Message {}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Message { text, source: None }
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
