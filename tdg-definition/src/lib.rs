//! The definition language of [tdg](https://docs.rs/tdg): what the rows of a test look like, and the
//! values they stand for.
//!
//! A [`Definition`] is an ordered list of [features](Feature), each with a name, a type and a
//! [distribution]. With a seed and a number of rows it determines every value to the
//! bit: on every platform, in every build, in every later version.
//!
//! No I/O, and little to compile: the `#[ensemble_test]` macro uses this crate to check definition
//! files while it expands.

#![forbid(unsafe_code)]

pub mod calendar;
mod column;
pub mod covering;
mod definition;
pub mod distribution;
mod fault;
mod feature;
mod feature_type;
mod fields;
mod identifier;
pub mod json;
pub mod limits;
pub mod math;
mod modifier;
mod nearest;
pub mod policy;
pub mod random;
mod relation;
mod size_error;
pub mod sort;
mod value;

pub use column::{Cells, Column, Text};
pub use definition::Definition;
pub use fault::{Fault, Faults};
pub use feature::Feature;
pub use feature_type::FeatureType;
pub use fields::{Fields, kind};
pub use identifier::is_identifier;
pub use nearest::nearest;
pub use policy::{Policy, PolicyError, Tolerance};
pub use size_error::SizeError;
