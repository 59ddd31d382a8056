//! Keys that were admitted lately.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

use lru::LruCache;

use super::Key;

/// The number of keys beyond which those that were used longest ago are forgotten.
const MOST: NonZero<usize> = NonZero::<usize>::MIN.saturating_add(9_999);

/// The hashes of keys that this server has admitted. Some may be revoked by now.
pub(crate) struct KnownKeys {
    hashes: Mutex<LruCache<[u8; 32], ()>>,
}

impl KnownKeys {
    pub(crate) fn new() -> Self {
        KnownKeys {
            hashes: Mutex::new(LruCache::new(MOST)),
        }
    }

    pub(crate) fn contains(&self, key: &Key) -> bool {
        let hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
        hashes.contains(key.hash().as_bytes())
    }

    pub(crate) fn add(&self, key: &Key) {
        let mut hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
        hashes.put(*key.hash().as_bytes(), ());
    }
}
