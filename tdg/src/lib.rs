//! tdg

pub mod ensemble;
#[cfg(feature = "sqlite-system")]
pub mod store;
pub mod test;
pub mod verdict;
