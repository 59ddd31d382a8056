//! Refusals in the audit log, which an attack must not fill. The log of requests has all of them.

use std::net::IpAddr;
use std::num::NonZero;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use lru::LruCache;

use super::invalid_keys::network;
use crate::account::Account;
use crate::lock::locked;

/// The pause before the same refusal is recorded again.
const PAUSE: Duration = Duration::from_secs(60);

/// The maximum number of remembered refusals. The oldest are forgotten.
const MOST: NonZero<usize> = NonZero::<usize>::MIN.saturating_add(1023);

/// The recently recorded refusals.
pub(crate) struct Refusals {
    recorded: Mutex<LruCache<RefusalKey, Instant>>,
}

/// The properties in which two equal refusals agree.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct RefusalKey {
    pub(crate) status: u16,
    pub(crate) address: Option<IpAddr>,
    pub(crate) account: Option<Account>,
}

impl Refusals {
    pub(crate) fn new() -> Self {
        Refusals {
            recorded: Mutex::new(LruCache::new(MOST)),
        }
    }

    /// Returns true if the refusal has to be recorded.
    pub(crate) fn is_new(&self, refusal: RefusalKey) -> bool {
        let address = refusal.address.map(network);
        self.is_new_at(RefusalKey { address, ..refusal }, Instant::now())
    }

    fn is_new_at(&self, refusal: RefusalKey, now: Instant) -> bool {
        let mut recorded = locked(&self.recorded);
        let last = recorded.get(&refusal);
        let is_new = last.is_none_or(|last| now.saturating_duration_since(*last) >= PAUSE);
        if is_new {
            recorded.put(refusal, now);
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_refusal_is_recorded_once_a_minute() {
        let refusals = Refusals::new();
        let refusal = |status, account| RefusalKey {
            status,
            address: None,
            account: Some(Account(account)),
        };
        let now = Instant::now();
        let is_new = |status, account, at| refusals.is_new_at(refusal(status, account), at);
        assert!(is_new(403, 1, now));
        assert!(!is_new(403, 1, now + PAUSE / 2));
        assert!(is_new(403, 2, now));
        assert!(is_new(401, 1, now));
        assert!(is_new(403, 1, now + PAUSE));
    }
}
