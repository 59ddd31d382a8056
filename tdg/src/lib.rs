//! tdg

pub mod compare;
pub mod verdict;
