//! Why a command can't go on.

use std::error;
use std::fmt::{self, Display};
use std::io;

use crate::exit::Exit;
use crate::terminal::complain;

/// Why a command can't go on.
///
/// No [`std::error::Error`] itself, so that it can be made from all of them.
#[derive(Debug)]
pub(crate) enum Error {
    /// What is wrong, where, and the way out.
    Message(String),
    /// Nobody reads the output any more.
    OutputClosed,
}

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Message(message.into())
    }

    /// Says what is wrong, and how the command ends; what else there is to do may be done before.
    ///
    /// # Errors
    /// Nobody reads the output any more, so there is nothing else to do.
    pub(crate) fn complain(self) -> Result<Exit> {
        match self {
            Self::Message(message) => {
                complain(&message);
                Ok(Exit::Failed)
            }
            Self::OutputClosed => Err(self),
        }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Message(message) => message,
            Self::OutputClosed => "nobody reads the output any more",
        })
    }
}

impl<E: error::Error + 'static> From<E> for Error {
    fn from(error: E) -> Self {
        let error: &(dyn error::Error + 'static) = &error;
        match error.downcast_ref::<io::Error>() {
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe => Self::OutputClosed,
            _ => Self::Message(error.to_string()),
        }
    }
}

/// Says what was being done when something went wrong.
pub(crate) trait Context<T> {
    fn context(self, what: impl Display) -> Result<T>;
}

impl<T, E: Display> Context<T> for Result<T, E> {
    fn context(self, what: impl Display) -> Result<T> {
        self.map_err(|error| Error::Message(format!("{what}: {error}")))
    }
}
