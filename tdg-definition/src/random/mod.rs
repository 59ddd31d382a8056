//! Random bits that are a pure function of seed, feature, purpose, row and draw.
//!
//! There is no mutable state: row 4711 is computed without the rows before it, in any order, in any
//! chunks, with the same bits on every platform. [`Stream`] provides words, and the functions of
//! [`uniform`] convert a word to a number.
//!
//! ```
//! use tdg_definition::random::{Purpose, Stream, uniform};
//!
//! let amount = Stream::new(7, "amount");
//! let word = amount.word(Purpose::Value, 4711, 0);
//! let dice = 1 + uniform::below(word, 6);
//! assert!((1..=6).contains(&dice));
//! ```

mod edge_rows;
mod elements;
mod permutation;
pub mod philox;
mod rows;
mod stream;
pub mod uniform;

pub(crate) use edge_rows::EdgePurposes;
pub use elements::ListElements;
pub use permutation::Permutation;
pub(crate) use rows::RowPlaces;
pub use rows::StreamRows;
pub use stream::{Purpose, RowStream, SAMPLER_VERSION, Stream};
pub use uniform::Threshold;
