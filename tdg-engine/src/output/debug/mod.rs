//! Values from the text that `{:?}` writes.
//!
//! The text doesn't distinguish a struct from a variant, so the name is kept next to the fields:
//!
//! | text | value |
//! |---|---|
//! | `Line { sku: "a", cents: 5 }` | `{"$name": "Line", "sku": "a", "cents": 5}` |
//! | `Point(1, 2)` | `{"$name": "Point", "0": 1, "1": 2}` |
//! | `Red` | `{"$name": "Red"}` |
//! | `Some(Line { cents: 5 })` | `{"$name": "Some(Line)", "cents": 5}` |
//! | `(1, 2)` | `{"$name": "()", "0": 1, "1": 2}` |
//! | `[1, 2]` | `[1, 2]` |
//! | `{1, 2}` | `{"$set": [1, 2]}` |
//! | `{"a": 1}` | `{"a": 1}` |
//! | `{Red: 1}` | `{"$keys": "debug", "Red": 1}` |
//! | `"a"`, `'a'` | `"a"`, `{"$char": "a"}` |
//! | `1.5`, `NaN`, `true` | themselves |
//! | anything else | `{"$text": "2021-01-01"}` |
//!
//! Only the spelling of `derive(Debug)` and std is read, on one line or in the layout of `{:#?}`.
//! Anything else, or nested too deeply, becomes text. Two texts have the same value only if they
//! differ at most in layout, in the notation of a number or a character, or in the order of struct
//! fields or map entries, as [`write`] shows. Reading takes linear time and doesn't recurse to find
//! brackets.

mod layout;
mod literal;
mod read;
mod tokens;
mod write;

#[cfg(test)]
mod tests;

pub(super) use read::read;
pub(super) use write::write;

/// The name of a struct or a variant; [`TUPLE`] for a plain tuple.
const NAME: &str = "$name";
const TUPLE: &str = "()";
/// Marks a struct that ends with `..` because it hides fields.
const REST: &str = "$rest";
const SET: &str = "$set";
/// Marks a map with keys other than strings.
const KEYS: &str = "$keys";
const CHAR: &str = "$char";
/// Holds text that can't be read further.
pub(super) const TEXT: &str = "$text";
