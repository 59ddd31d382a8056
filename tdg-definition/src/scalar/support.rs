//! The values that a distribution can draw.

use crate::json::Value;

/// The values that a distribution can draw.
pub enum Support<'a> {
    /// All values of the feature's type between the bounds, if any.
    Range(Option<Value>, Option<Value>),
    /// These values, in the order of the definition.
    Values(Vec<Value>),
    /// The strings of a language.
    Strings {
        /// The simplest string.
        simplest: String,
        /// Returns true for strings of the language.
        has: Box<dyn Fn(&str) -> bool + 'a>,
    },
    /// The values of any of these.
    Any(Vec<Support<'a>>),
    /// Unknown except through drawing.
    Drawn,
}
