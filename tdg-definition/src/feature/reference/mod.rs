//! Distributions whose values come from another feature, and the references between features.

pub(super) mod graph;
pub(super) mod index;
pub(super) mod length_of;
pub(super) mod one_of;
mod resolution;
pub(super) mod share;
pub(super) mod sum;
