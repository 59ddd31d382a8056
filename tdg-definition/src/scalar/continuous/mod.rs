//! Distributions of real numbers.

pub(crate) mod beta;
pub(crate) mod cauchy;
pub(crate) mod exponential;
pub(crate) mod gamma;
pub(crate) mod gaussian;
pub(crate) mod laplace;
mod location_scale;
mod log_concave;
pub(crate) mod logistic;
pub(crate) mod lognormal;
pub(crate) mod pareto;
mod rate_or_scale;
mod standard_beta;
mod standard_gamma;
pub(crate) mod student_t;
pub(crate) mod triangular;
mod truncation;
pub(crate) mod weibull;
