//! tdg-definition

/// The random bits that generated values are made of.
pub mod random;
