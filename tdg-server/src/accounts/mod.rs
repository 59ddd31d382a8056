//! Accounts while the server runs: their names, limits and usage.

mod known;
mod limits;
mod room;

pub(crate) use self::known::{Accounts, KnownAccount};
pub(crate) use self::limits::{Limits, Quota};
pub(crate) use self::room::NEARLY;
