//! tdg
#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod __private;
#[cfg(feature = "tokio")]
mod async_runtime;
pub mod compare;
pub mod config;
mod ensemble;
mod ensemble_test;
mod generate;
mod outcome_probe;
pub mod output;
pub mod report;
mod row;
mod runner;
mod site;
pub mod snapshot;
#[cfg(feature = "sqlite-system")]
pub mod store;
mod test;
mod verdict;

pub use compare::Tolerance;
pub use config::StoreKind;
pub use ensemble::Ensemble;
pub use ensemble_test::{DefinitionSource, EnsembleTest, Panics};
pub use generate::{RowError, Vectors};
pub use row::{BindError, Row};
pub use site::Site;
pub use tdg_definition::{Definition, Fault, Faults, FeatureType, json, nearest};
#[doc = include_str!("ensemble_test.md")]
pub use tdg_macros::ensemble_test;
pub use test::Test;
pub use verdict::Verdict;
