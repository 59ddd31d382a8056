//! tdg

pub mod compare;
pub mod report;
pub mod verdict;
