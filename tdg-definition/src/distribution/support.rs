//! The values that a distribution can draw.

use crate::json::Value;

/// The values that a distribution can draw.
pub enum Support<'a> {
    /// All of the feature's type from the first bound to the second, where there are bounds.
    Range(Option<Value>, Option<Value>),
    /// These, in the order of the definition.
    Values(Vec<Value>),
    /// The strings of a language.
    Strings {
        /// The simplest of them.
        simplest: String,
        /// Whether a string is one of them.
        has: Box<dyn Fn(&str) -> bool + 'a>,
    },
    /// Those of any of these.
    Any(Vec<Support<'a>>),
    /// Nothing is known but what was drawn.
    Drawn,
}
