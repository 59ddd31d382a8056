//! Families for the elements of lists.

pub(super) mod aggregates;
pub(super) mod membership;
pub(super) mod order;
pub(super) mod quantifiers;
