//! tdg
#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod __private;
#[cfg(feature = "tokio")]
mod async_runtime;
mod ensemble;
mod generate;
mod outcome_probe;
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
pub use tdg_macros::ensemble_test;
pub use test::Test;
pub use verdict::Verdict;
