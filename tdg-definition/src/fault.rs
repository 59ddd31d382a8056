//! Faults in documents written by users.

use std::fmt;

use crate::json::Pointer;

/// A fault in a definition or another document written by a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The location in the document's JSON.
    pub pointer: Pointer,
    /// The fault and the fix, in one sentence without a full stop.
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

/// The reason why a part of such a document is invalid, and the fix; the caller knows its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid(String);

impl Invalid {
    /// Adds the place.
    pub fn at(self, pointer: Pointer) -> Fault {
        let Self(message) = self;
        Fault { pointer, message }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Invalid {}

impl From<String> for Invalid {
    fn from(reason: String) -> Self {
        Self(reason)
    }
}

impl From<&str> for Invalid {
    fn from(reason: &str) -> Self {
        Self(reason.to_owned())
    }
}

/// An `Err` with the formatted reason.
macro_rules! invalid {
    ($($reason:tt)*) => {
        Err($crate::Invalid::from(format!($($reason)*)))
    };
}
pub(crate) use invalid;

/// All faults of such a document, in the order of its text; displayed one per line.
///
/// Only the first 1,000 are listed, and the rest are counted: a document of a few megabytes can
/// have millions.
///
/// ```
/// use tdg_definition::{Definition, Faults};
///
/// let members: Vec<String> = (0..5000).map(|i| format!(r#""x{i}": 0"#)).collect();
/// let definition = format!(r#"{{"features": [{{{}}}]}}"#, members.join(","));
/// let faults: Faults = Definition::parse(&definition).unwrap_err();
/// assert_eq!((faults.iter().count(), faults.count()), (1000, 5002));
/// assert!(faults.to_string().ends_with("\nand 4002 more"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    listed: Vec<Fault>,
    count: usize,
}

impl Faults {
    /// The most faults that are listed.
    const LISTED: usize = 1000;

    /// Creates a single fault of the document as a whole.
    pub fn of_document(message: String) -> Self {
        Self::at(Pointer::root(), message)
    }

    /// Creates a single fault at a place in the document.
    pub fn at(pointer: Pointer, message: impl Into<String>) -> Self {
        let message = message.into();
        Self::from_iter([Fault { pointer, message }])
    }

    /// Adds a fault.
    pub fn push(&mut self, fault: Fault) {
        self.push_with(|| fault);
    }

    /// Adds a fault, constructed only if it's listed: a document can have millions.
    pub fn push_with(&mut self, fault: impl FnOnce() -> Fault) {
        self.count += 1;
        if self.listed.len() < Self::LISTED {
            self.listed.push(fault());
        }
    }

    /// Returns `Err` if there are any faults.
    ///
    /// # Errors
    ///
    /// The faults, if any.
    pub fn check(self) -> Result<(), Self> {
        if self.count == 0 { Ok(()) } else { Err(self) }
    }

    /// Returns the listed faults.
    pub fn iter(&self) -> impl Iterator<Item = &Fault> {
        self.listed.iter()
    }

    /// Returns the number of all faults, listed or not.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds the faults of the part of the document at `place`.
    pub fn extend_at(&mut self, place: &Pointer, of_part: Self) {
        self.count += of_part.count - of_part.listed.len();
        for mut fault in of_part.listed {
            let mut pointer = place.clone();
            for segment in fault.pointer.segments() {
                pointer.push(segment);
            }
            fault.pointer = pointer;
            self.push(fault);
        }
    }
}

impl Extend<Fault> for Faults {
    fn extend<T: IntoIterator<Item = Fault>>(&mut self, faults: T) {
        faults.into_iter().for_each(|fault| self.push(fault));
    }
}

impl FromIterator<Fault> for Faults {
    fn from_iter<T: IntoIterator<Item = Fault>>(faults: T) -> Self {
        let mut all = Self::default();
        all.extend(faults);
        all
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.listed.iter().enumerate() {
            if index > 0 {
                formatter.write_str("\n")?;
            }
            write!(formatter, "{fault}")?;
        }
        match self.count - self.listed.len() {
            0 => Ok(()),
            more => write!(formatter, "\nand {more} more"),
        }
    }
}

impl std::error::Error for Faults {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listed_faults_are_made() {
        let (mut faults, mut made) = (Faults::default(), 0);
        for _ in 0..5000 {
            faults.push_with(|| {
                made += 1;
                Fault {
                    pointer: Pointer::root(),
                    message: String::new(),
                }
            });
        }
        assert_eq!((faults.count(), made), (5000, Faults::LISTED));
    }
}
