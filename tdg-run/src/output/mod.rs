//! What a function returned, as a JSON value.
//!
//! Any `Serialize` becomes a [`Value`] that says the same in every build and every run:
//!
//! - NaN and the infinities stay floats (their text is `{"$float":"NaN"}` and the like).
//! - An `f32` is the number that its shortest text says: `0.1_f32` is `0.1`.
//! - `None` and `()` are `null`; bytes are an array of numbers; a `char` is a string.
//! - A struct is an object; a map is one if all its keys are strings, else an array of
//!   `[key, value]` pairs, sorted. An empty map is `{}`.
//! - Enums, and so `Result`, are tagged from outside as serde_json does it: `"Unit"`,
//!   `{"Ok":1}`, `{"Point":[1,2]}`.
//! - A key of the user's that begins with `$` gets another `$` in front, so that keys of ours
//!   are never mistaken for it.

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

/// The JSON value of an output.
///
/// # Errors
///
/// The output's `Serialize` fails; an object has a key twice; the output is nested too deep; or it
/// holds a serde_json number that is out of range.
fn to_value<T: Serialize + ?Sized>(output: &T) -> Result<Value, OutputError> {
    output.serialize(serializer::Serializer::new())
}
