//! Families for the elements of lists.

#[cfg(feature = "full")]
pub(super) mod aggregates;
pub(super) mod membership;
#[cfg(feature = "full")]
pub(super) mod order;
pub(super) mod quantifiers;
