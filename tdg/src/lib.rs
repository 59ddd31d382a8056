//! tdg
#![forbid(unsafe_code)]

mod generate;
pub mod output;
mod row;

pub use generate::{RowError, Vectors};
pub use row::{BindError, Row};
pub use tdg_definition::{Definition, Fault, Faults, FeatureType, json};
