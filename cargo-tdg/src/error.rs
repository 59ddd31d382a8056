//! The error type of commands.

use std::error;
use std::fmt::{self, Display};
use std::io;
use std::iter;

/// An error that ends a command.
///
/// Does not implement [`std::error::Error`], so that every type that does can be converted into it.
#[derive(Debug)]
pub(crate) struct Error {
    /// The problem, its place, and the fix.
    message: String,
    source: Option<Box<dyn error::Error + Send + Sync>>,
}

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            source: None,
        }
    }

    /// Prefixes the message with what was being done when the error occurred.
    pub(crate) fn context(self, what: impl Display) -> Self {
        Self {
            message: format!("{what}: {}", self.message),
            ..self
        }
    }

    /// Returns true if the error is a closed output, such as a pager that has quit.
    pub(crate) fn is_output_closed(&self) -> bool {
        let mut causes = iter::successors(
            self.source.as_deref().map(|it| it as &dyn error::Error),
            |error| error.source(),
        );
        causes.any(|error| {
            let error = error.downcast_ref::<io::Error>();
            error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
        })
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl<E: error::Error + Send + Sync + 'static> From<E> for Error {
    fn from(error: E) -> Self {
        Self {
            message: error.to_string(),
            source: Some(Box::new(error)),
        }
    }
}

/// Adds context to the error of a result.
pub(crate) trait Context<T> {
    fn context(self, what: impl Display) -> Result<T>;
}

impl<T, E: Into<Error>> Context<T> for Result<T, E> {
    fn context(self, what: impl Display) -> Result<T> {
        self.map_err(|error| error.into().context(what))
    }
}
