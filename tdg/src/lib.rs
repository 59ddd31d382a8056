//! tdg

pub mod snapshot;
