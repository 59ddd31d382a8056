//! The text of an error with its causes.

use std::error::Error;
use std::iter::successors;

/// Formats the error as `the message: its cause: the cause of that`.
pub(crate) fn with_causes(error: &dyn Error) -> String {
    let errors = successors(Some(error), |&error| error.source());
    let messages: Vec<String> = errors.map(ToString::to_string).collect();
    messages.join(": ")
}
