//! Why a command can't go on.

use std::error;
use std::fmt::{self, Display};
use std::io;

/// Why a command can't go on.
///
/// Does not implement [`std::error::Error`], so that every type that does can be converted into it.
#[derive(Debug)]
pub(crate) enum Error {
    Message {
        /// What is wrong, where, and the fix.
        message: String,
        source: Option<Box<dyn error::Error>>,
    },
    /// The output was closed by its reader, who has seen enough.
    OutputClosed,
}

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Message {
            message: message.into(),
            source: None,
        }
    }

    /// The same error, with what was being done when it occurred.
    pub(crate) fn context(self, what: impl Display) -> Self {
        match self {
            Self::Message { message, source } => Self::Message {
                message: format!("{what}: {message}"),
                source,
            },
            Self::OutputClosed => self,
        }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message { message, source } => {
                let mut text = message.clone();
                let mut cause = source.as_deref().and_then(error::Error::source);
                while let Some(error) = cause {
                    // Many errors repeat their cause.
                    let reason = error.to_string();
                    if !text.contains(&reason) {
                        text = format!("{text}: {reason}");
                    }
                    cause = error.source();
                }
                f.write_str(&text)
            }
            Self::OutputClosed => f.write_str("the output was closed"),
        }
    }
}

impl<E: error::Error + 'static> From<E> for Error {
    fn from(error: E) -> Self {
        let is_closed = |error: &(dyn error::Error + 'static)| {
            let error = error.downcast_ref::<io::Error>();
            error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
        };
        if is_closed(&error) {
            return Self::OutputClosed;
        }
        Self::Message {
            message: error.to_string(),
            source: Some(Box::new(error)),
        }
    }
}

/// Says what was being done when an error occurred.
pub(crate) trait Context<T> {
    fn context(self, what: impl Display) -> Result<T>;
}

impl<T, E: Into<Error>> Context<T> for Result<T, E> {
    fn context(self, what: impl Display) -> Result<T> {
        self.map_err(|error| error.into().context(what))
    }
}
