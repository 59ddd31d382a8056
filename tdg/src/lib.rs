//! tdg
pub mod output;
