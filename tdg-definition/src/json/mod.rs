//! JSON with one meaning everywhere: values, their text, and a parser.
//!
//! A benchmark compares recorded text with freshly computed values, perhaps years later and with
//! other dependencies. The same value must therefore have the same text in every build.
//! General-purpose JSON crates don't guarantee that: their features, which any crate in the graph
//! can enable, change key order, number types and float parsing.
//!
//! - [`Value`] and [`Number`] hold JSON; numbers are exact and compare by value.
//! - [`parse`] reads text into a [`Value`]; [`Reader`] reads it piece by piece, without building
//!   one.
//! - [`write_value`] and its siblings append canonical text: compact, keys sorted, one notation for
//!   each float.
//! - [`Pointer`] names a place in a value (RFC 6901).
//!
//! JSON has no NaN or infinities. They are written as `{"$float":"NaN"}`, `{"$float":"Infinity"}`
//! and `{"$float":"-Infinity"}`, and read back as floats.
//!
//! ```
//! use tdg_definition::json::{self, Value};
//!
//! let value = json::parse(r#"{"price": 12.50, "count": 3}"#)?;
//! assert_eq!(value.get("count"), Some(&Value::from(3.0)));
//! assert_eq!(value.to_string(), r#"{"count":3,"price":12.5}"#);
//! # Ok::<(), json::Error>(())
//! ```

mod error;
mod number;
mod number_text;
mod object;
mod pointer;
mod reader;
mod scan;
mod value;
mod writer;

pub use error::Error;
pub use number::Number;
pub use object::Object;
pub use pointer::{Pointer, PointerError};
pub use reader::{DEPTH_LIMIT, Reader, parse, parse_with_comments};
pub use value::{Kind, Value};
pub use writer::{write_f64, write_i64, write_number, write_str, write_u64, write_value};

/// The key of the object that encodes a float which JSON can't represent.
pub(crate) const FLOAT_KEY: &str = "$float";
