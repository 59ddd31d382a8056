//! The definition language of [tdg](https://docs.rs/tdg): the features of a test's rows, and their
//! values for a given seed.
//!
//! A [`Definition`] is an ordered list of [features](Feature), each with a name, a type and a
//! [distribution]. Together with a seed and a number of rows, it determines every value to the bit:
//! on every platform, in every build, in every later version.
//!
//! The crate does no I/O and is quick to compile, because the `#[ensemble_test]` macro uses it to
//! check definition files during expansion.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod bytes;
pub mod calendar;
mod checkpoint;
mod column;
mod consistency;
pub mod control;
pub mod covering;
mod definition;
mod fault;
mod feature;
mod feature_type;
mod fields;
pub mod json;
pub mod limits;
pub mod math;
mod memory;
mod modifier;
mod names;
mod nearest;
pub mod policy;
pub mod random;
mod relation;
mod repair;
pub mod requirement;
mod row;
mod scalar;
mod simd;
mod size_error;
pub mod sort;
pub mod table;
mod uuid;
mod value;
mod variant_form;

/// The catalogue of distributions, and the values that they draw.
pub mod distribution {
    pub use crate::feature::catalogue::{names, only_parameter, parameters_left, reaches_max};
    pub use crate::feature::{Parts, Variant, Variants};
    pub use crate::scalar::{
        Canonical, Distribution, Domain, Inversion, Monotonicity, Sampler, Support, ValuesByNumber,
        ValuesOfRows, Words, Work, parameter_name,
    };
}

pub use checkpoint::{checkpoint, interruptible};
pub use column::{
    ByteCells, Cells, Column, ListCells, ListForm, ObjectCells, ObjectForm, Text, VariantCells,
};
pub use definition::Definition;
pub use fault::{Fault, Faults, Invalid};
pub use feature::Feature;
pub use feature_type::FeatureType;
pub use fields::{Faulty, Fields, kind};
pub use memory::within_memory;
pub use names::UnknownName;
pub use nearest::nearest;
pub use policy::{Policy, PolicyError, Tolerance};
pub use repair::following;
pub use requirement::{Requirement, RequirementError};
pub use row::{is_ordered, read_row};
pub use size_error::SizeError;
pub use uuid::is_uuid;
pub use value::{key_of, name_of};
pub use variant_form::VariantForm;
