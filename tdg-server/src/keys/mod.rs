//! API keys: 256 bits that only their holder knows. The database keeps a hash, and a prefix to find it by.

mod expiry;
mod key;
mod record;
mod scopes;

pub(crate) use self::{
    expiry::Lifetime,
    key::{Key, KeyHash, Prefix},
    record::{KeyRecord, Refusal},
    scopes::{Scope, Scopes},
};
