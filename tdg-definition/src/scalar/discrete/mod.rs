//! Distributions of integers and truth values.

pub(crate) mod bernoulli;
pub(crate) mod binomial;
pub(crate) mod geometric;
pub(crate) mod negative_binomial;
pub(crate) mod poisson;
mod table;
pub(crate) mod zipf;
