//! tdg
