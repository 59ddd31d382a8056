//! The error of an output without a JSON form, with its place.

use std::fmt;

use tdg_definition::json::Pointer;
use tdg_engine::output::TooDeep;

/// The error of an output without a JSON form, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutputError {
    message: String,
    /// The path from the inside out, since an error travels outwards.
    segments: Vec<String>,
}

impl OutputError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            segments: Vec::new(),
        }
    }

    /// Adds the field or element in which the error occurred.
    pub(super) fn within(mut self, segment: impl Into<String>) -> Self {
        self.segments.push(segment.into());
        self
    }

    /// Returns the place in the output.
    pub(crate) fn pointer(&self) -> Pointer {
        let mut pointer = Pointer::root();
        for segment in self.segments.iter().rev() {
            pointer.push(segment.as_str());
        }
        pointer
    }
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = self.pointer();
        if !pointer.is_root() {
            write!(f, "{pointer}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for OutputError {}

impl serde_core::ser::Error for OutputError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }
}

impl From<TooDeep> for OutputError {
    fn from(error: TooDeep) -> Self {
        Self::new(error.to_string())
    }
}
