//! What is wrong with a document that users write, where, and what would be right.

use std::fmt;

use crate::json::Pointer;

/// One thing that is wrong with a definition, or another document that users write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where in the document's JSON.
    pub pointer: Pointer,
    /// What is wrong and what would be right, one sentence without a full stop.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_root() {
            formatter.write_str(&self.message)
        } else {
            write!(formatter, "{}: {}", self.pointer, self.message)
        }
    }
}

/// Everything that is wrong with such a document, in the order of its text; displayed one fault a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// A single fault of the document as a whole.
    pub fn of_document(message: String) -> Self {
        Self::at(Pointer::root(), message)
    }

    /// A single fault at a place in the document.
    pub fn at(pointer: Pointer, message: impl Into<String>) -> Self {
        let message = message.into();
        Self(vec![Fault { pointer, message }])
    }

    /// `Err` if anything was found.
    ///
    /// # Errors
    ///
    /// The faults, if there are any.
    pub fn check(faults: Vec<Fault>) -> Result<(), Self> {
        if faults.is_empty() {
            Ok(())
        } else {
            Err(Self(faults))
        }
    }

    /// The faults; at least one.
    pub fn iter(&self) -> impl Iterator<Item = &Fault> {
        self.0.iter()
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().enumerate() {
            if index > 0 {
                formatter.write_str("\n")?;
            }
            write!(formatter, "{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
