//! The text of an error with those that caused it.

use std::error::Error;
use std::iter::successors;

/// `the message: of its cause: of that one's`.
pub(crate) fn with_causes(error: &dyn Error) -> String {
    let errors = successors(Some(error), |&error| error.source());
    let messages: Vec<String> = errors.map(ToString::to_string).collect();
    messages.join(": ")
}
