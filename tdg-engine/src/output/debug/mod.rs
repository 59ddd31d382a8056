//! The text that `{:?}` writes, as a value.
//!
//! The text doesn't tell a struct from a variant, so the name of either is kept, beside its fields:
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
//! Only the spelling of `derive(Debug)` and std is read, on one line or in the layout of `{:#?}`;
//! what is written otherwise is text, and so is what is nested too deep. Two texts have the same
//! value only if they are the same but for the layout, the notation of a number or a character and
//! the order of the fields of a struct or the entries of a map, as [`write`] shows. Reading takes
//! linear time, and no stack for brackets.

mod layout;
mod literal;
mod read;
mod tokens;
mod write;

#[cfg(test)]
mod tests;

pub(super) use read::read;
pub(super) use write::write;

/// The name of a struct, a variant or, where it is [`TUPLE`], neither.
const NAME: &str = "$name";
const TUPLE: &str = "()";
/// The `..` of a struct that doesn't show all its fields.
const REST: &str = "$rest";
const SET: &str = "$set";
/// Marks a map whose keys are no strings.
const KEYS: &str = "$keys";
const CHAR: &str = "$char";
/// What can't be read.
pub(super) const TEXT: &str = "$text";
