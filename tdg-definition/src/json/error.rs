//! Errors in JSON text, with their locations.

use std::fmt;

/// An error in a JSON text, with its location.
///
/// ```
/// let error = tdg_definition::json::parse("[1,\n 2,}").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 4: expected a value, found `}`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Details>);

// Boxed, so that the `Result` of reading one cell stays as small as the cell.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Details {
    line: usize,
    column: usize,
    offset: usize,
    message: String,
}

impl Error {
    #[cold]
    pub(crate) fn at(text: &str, offset: usize, message: String) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self(Box::new(Details {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            offset,
            message,
        }))
    }

    /// Returns the line, counted from 1.
    pub fn line(&self) -> usize {
        self.0.line
    }

    /// Returns the column in characters, counted from 1.
    pub fn column(&self) -> usize {
        self.0.column
    }

    /// Returns the offset in bytes from the beginning of the text, counted from 0.
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// Returns the message: the actual and the expected item.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details {
            line,
            column,
            message,
            ..
        } = &*self.0;
        write!(f, "line {line}, column {column}: {message}")
    }
}

impl std::error::Error for Error {}
