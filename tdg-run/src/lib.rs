//! The run of a tdg test: its rows, its function, the verdict and the record of both.
//!
//! **Exempt from semver.** Every version may change everything here; use `tdg`, the facade over it
//! and the macros.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
pub mod __private;
#[cfg(feature = "tokio")]
mod async_runtime;
mod define;
mod ensemble_test;
mod maker;
mod outcome_probe;
mod output;
mod row;
mod runner;
mod test_options;

pub use define::Define;
pub use ensemble_test::{EnsembleTest, IntoPolicy};
pub use output::Outcome;
pub use row::{BindError, Row, Vectors};
pub use tdg_definition::{
    Definition, Fault, Faults, FeatureType, Policy, PolicyError, SizeError, Tolerance,
};
pub use tdg_engine::config::StoreKind;
pub use test_options::{DefinitionSource, Panics};
