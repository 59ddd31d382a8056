//! One of several values or distributions.

pub(crate) mod categorical;
pub(crate) mod constant;
pub(crate) mod mixture;
pub(crate) mod weights;
