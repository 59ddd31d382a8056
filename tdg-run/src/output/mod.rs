//! The return value of a function as a JSON value.
//!
//! Any `Serialize` becomes a [`Value`] that is the same in every build and every run:
//!
//! - NaN and the infinities stay floats (their text is `{"$float":"NaN"}` and the like).
//! - An `f32` becomes the number of its shortest text: `0.1_f32` is `0.1`.
//! - `None` and `()` are `null`; bytes are an array of numbers; a `char` is a string.
//! - A struct is an object. A map is an object if all its keys are strings, or else a sorted array
//!   of `[key, value]` pairs. An empty map is `{}`.
//! - Enums, including `Result`, are tagged externally as in serde_json: `"Unit"`, `{"Ok":1}`,
//!   `{"Point":[1,2]}`.
//! - A user's key that begins with `$` gets another `$` in front, so that it is never mistaken for
//!   one of tdg's keys.

mod containers;
mod debug_text;
mod error;
mod members;
mod outcome;
mod serde_json_private;
mod serializer;
#[cfg(test)]
mod tests;

use serde_core::Serialize;
use tdg_definition::json::Value;

pub(crate) use debug_text::{DebugText, tell_f32s};
use error::OutputError;
pub use outcome::Outcome;
pub(crate) use outcome::is_nothing;

/// Returns the JSON value of an output.
///
/// # Errors
///
/// Fails if the output's `Serialize` fails, an object has a key twice, the output is nested too
/// deeply, or it holds a serde_json number that is out of range.
fn to_value<T: Serialize + ?Sized>(output: &T) -> Result<Value, OutputError> {
    output.serialize(serializer::Serializer::new())
}
