//! Accounts while the server runs: their names, limits and usage.

mod known;
mod limits;

pub(crate) use self::known::Accounts;
pub(crate) use self::limits::{Limits, Quota};
