//! tdg-definition

pub mod math;
pub mod random;
