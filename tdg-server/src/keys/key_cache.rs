//! The recently admitted keys.

use std::num::NonZero;
use std::sync::Mutex;

use lru::LruCache;
use tdg_service::Timestamp;

use super::KeyHash;
use crate::lock::locked;

/// The maximum number of cached keys. The least recently used are evicted.
const MOST: NonZero<usize> = NonZero::<usize>::MIN.saturating_add(9_999);

/// The hashes of keys that this server has admitted. Some may have been revoked since.
pub(crate) struct KeyCache {
    /// The hashes, each with the hour of its last use.
    hashes: Mutex<LruCache<[u8; 32], Timestamp>>,
}

impl KeyCache {
    pub(crate) fn new() -> Self {
        KeyCache {
            hashes: Mutex::new(LruCache::new(MOST)),
        }
    }

    pub(crate) fn contains(&self, key: &KeyHash) -> bool {
        locked(&self.hashes).contains(key.as_bytes())
    }

    /// Notes that a key was used in an hour. Returns true if it is the first use.
    pub(crate) fn add(&self, key: &KeyHash, hour: Timestamp) -> bool {
        locked(&self.hashes).put(*key.as_bytes(), hour) != Some(hour)
    }
}

/// Returns the beginning of the hour of a time.
pub(crate) fn hour_of(time: Timestamp) -> Timestamp {
    const HOUR: i64 = 3_600_000_000;
    let micros = time.as_micros();
    Timestamp::from_micros(micros - micros.rem_euclid(HOUR))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::IssuedKey;

    #[test]
    fn a_key_is_used_for_the_first_time_in_each_hour() {
        let keys = KeyCache::new();
        let key = IssuedKey::generate().unwrap().hash();
        let hour = |n: i64| hour_of(Timestamp::from_micros(n * 3_600_000_000 + 17));
        assert!(!keys.contains(&key));
        assert!(keys.add(&key, hour(0)));
        assert!(keys.contains(&key));
        assert!(!keys.add(&key, hour(0)));
        assert!(keys.add(&key, hour(1)));
        assert_eq!(hour(25).to_http_date(), "Fri, 02 Jan 1970 01:00:00 GMT");
    }
}
