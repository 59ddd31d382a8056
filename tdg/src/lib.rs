//! tdg

mod ensemble;
pub mod snapshot;

pub use ensemble::Ensemble;
