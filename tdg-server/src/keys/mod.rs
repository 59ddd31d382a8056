//! API keys: 256 bits that only their holder knows. The database has a hash and, for look-ups, a
//! prefix.

mod expiry;
mod feed_token;
mod key;
mod key_cache;
mod projects;
mod record;
mod scopes;
mod session;
mod token;
mod user_code;

pub(crate) use self::expiry::Lifetime;
pub(crate) use self::feed_token::FeedToken;
pub(crate) use self::key::{IssuedKey, KeyHash, Prefix};
pub(crate) use self::key_cache::{KeyCache, hour_of};
pub(crate) use self::projects::ProjectLimit;
pub(crate) use self::record::{KeyRecord, Refusal, descendants};
pub(crate) use self::scopes::{Scope, Scopes};
pub(crate) use self::session::SignInTimes;
pub(crate) use self::token::SecretToken;
pub(crate) use self::user_code::UserCode;
