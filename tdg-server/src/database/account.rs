//! Accounts.

use crate::accounts::Limits;

/// The account that a key belongs to. It has projects of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Account(pub(crate) i64);

/// What is stored about an account.
#[derive(Clone, Debug, Default)]
pub(crate) struct AccountSettings {
    pub(crate) name: String,
    /// Its own limits; where they state nothing, those of the server count.
    pub(crate) limits: Limits,
}
