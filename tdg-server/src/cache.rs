//! A cache of recently used values.

use std::hash::Hash;
use std::sync::Mutex;

use lru::LruCache;

use crate::lock::locked;

/// The approximate memory of an entry, in addition to its value's bytes.
const ENTRY: usize = 512;

/// The most recently used values, up to a number of bytes. The caller checks permissions and that
/// the value still exists.
pub(crate) struct Cache<K, V> {
    bytes: usize,
    kept: Mutex<Kept<K, V>>,
}

/// The hits, misses and size of a cache.
#[derive(Clone, Copy)]
pub(crate) struct Uses {
    pub(crate) hits: u64,
    pub(crate) misses: u64,
    pub(crate) bytes: usize,
}

struct Kept<K, V> {
    /// The values with their sizes in bytes.
    values: LruCache<K, (V, usize)>,
    bytes: usize,
    hits: u64,
    misses: u64,
}

impl<K: Hash + Eq, V: Clone> Cache<K, V> {
    /// Creates a cache of at most `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let kept = Kept {
            values: LruCache::unbounded(),
            bytes: 0,
            hits: 0,
            misses: 0,
        };
        Cache {
            bytes,
            kept: Mutex::new(kept),
        }
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        let mut kept = locked(&self.kept);
        let found = kept.values.get(key).map(|(value, _)| value.clone());
        match found {
            Some(_) => kept.hits += 1,
            None => kept.misses += 1,
        }
        found
    }

    pub(crate) fn uses(&self) -> Uses {
        let kept = locked(&self.kept);
        Uses {
            hits: kept.hits,
            misses: kept.misses,
            bytes: kept.bytes,
        }
    }

    /// Inserts or replaces a value of `bytes` bytes.
    pub(crate) fn insert(&self, key: K, value: V, bytes: usize) {
        let bytes = ENTRY + bytes;
        if bytes > self.bytes / 2 {
            return;
        }
        let mut kept = locked(&self.kept);
        let before = kept.values.put(key, (value, bytes));
        kept.bytes += bytes;
        kept.bytes -= before.map_or(0, |(_, bytes)| bytes);
        while kept.bytes > self.bytes {
            let Some((_, (_, bytes))) = kept.values.pop_lru() else {
                break;
            };
            kept.bytes -= bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_value_is_evicted_first() {
        let cache = Cache::new(4 * (ENTRY + 100));
        for key in ["a", "b", "c", "d"] {
            cache.insert(key, (), 100);
        }
        assert!(cache.get(&"a").is_some());
        cache.insert("e", (), 0);
        assert!(cache.get(&"b").is_none());
        assert!(
            ["a", "c", "d", "e"]
                .iter()
                .all(|key| cache.get(key).is_some())
        );
    }

    #[test]
    fn what_is_kept_anew_takes_the_place_of_what_was_before() {
        let cache = Cache::new(4 * (ENTRY + 100));
        for value in 0..100 {
            cache.insert("a", value, 100);
            cache.insert("b", value, 50);
        }
        assert_eq!((cache.get(&"a"), cache.get(&"b")), (Some(99), Some(99)));
    }

    #[test]
    fn a_value_that_is_too_large_is_not_cached() {
        let cache = Cache::new(4 * (ENTRY + 100));
        cache.insert("a", (), 2 * (ENTRY + 100));
        assert!(cache.get(&"a").is_none());
    }

    #[test]
    fn many_small_values_are_not_free() {
        let cache = Cache::new(100 * ENTRY);
        for key in 0..1000 {
            cache.insert(key, (), 0);
        }
        assert_eq!(
            (0..1000).filter(|key| cache.get(key).is_some()).count(),
            100
        );
    }
}
