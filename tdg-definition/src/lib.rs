//! tdg-definition
pub mod json;
