//! Accounts.

/// The account that a key belongs to. It has projects of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Account(pub(crate) i64);
