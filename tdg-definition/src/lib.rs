//! tdg-definition

/// Elementary functions with the same bits on every platform.
pub mod math;
/// The random bits that generated values are made of.
pub mod random;
