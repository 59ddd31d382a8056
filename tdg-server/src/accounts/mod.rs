//! Accounts while the server runs: their names, limits and usage.

mod known;
mod room;
mod used;

pub(crate) use self::known::{KnownAccount, KnownAccounts};
pub(crate) use self::used::NEARLY;
pub(crate) use crate::account::{Limits, Quota};
