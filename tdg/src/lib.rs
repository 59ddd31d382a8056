//! tdg
#![forbid(unsafe_code)]

mod ensemble;
mod generate;
pub mod output;
mod row;
pub mod snapshot;
#[cfg(feature = "sqlite-system")]
pub mod store;
mod test;
mod verdict;

pub use ensemble::Ensemble;
pub use generate::{RowError, Vectors};
pub use row::{BindError, Row};
pub use tdg_definition::{Definition, Fault, Faults, FeatureType, json};
pub use test::Test;
pub use verdict::Verdict;
