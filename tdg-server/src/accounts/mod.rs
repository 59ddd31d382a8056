//! Accounts while the server runs: their names, limits and usage.

mod account_cache;
mod quota;
mod usage;

pub(crate) use self::account_cache::{AccountCache, CachedAccount};
pub(crate) use self::usage::NEARLY;
pub(crate) use crate::account::{Limits, Quota};
