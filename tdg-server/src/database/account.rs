//! Whose projects they are.

/// The account that a key belongs to: what belongs to another is not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Account(pub(crate) i64);
