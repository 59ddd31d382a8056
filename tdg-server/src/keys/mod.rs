//! API keys: 256 bits that only their holder knows. The database keeps a hash, and a prefix to find it by.

mod expiry;
mod key;
mod record;
mod scopes;

pub(crate) use self::expiry::Lifetime;
pub(crate) use self::key::{Key, KeyHash, Prefix};
pub(crate) use self::record::{KeyRecord, Refusal};
pub(crate) use self::scopes::{Scope, Scopes};
