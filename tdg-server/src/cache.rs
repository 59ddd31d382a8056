//! What was asked for not long ago.

use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use lru::LruCache;

/// About what a small value takes besides its bytes: its places in the map and in the order, and what is around
/// the bytes.
const ENTRY: usize = 512;

/// The values that were asked for last, so many bytes of them. Whether a caller may have one, and whether it
/// is still so, is asked elsewhere.
pub(crate) struct Cache<K, V> {
    bytes: usize,
    kept: Mutex<Kept<K, V>>,
}

struct Kept<K, V> {
    /// Each with its bytes.
    values: LruCache<K, (V, usize)>,
    bytes: usize,
}

impl<K: Hash + Eq, V: Clone> Cache<K, V> {
    /// One that keeps at most so many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let kept = Kept {
            values: LruCache::unbounded(),
            bytes: 0,
        };
        Cache {
            bytes,
            kept: Mutex::new(kept),
        }
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.values.get(key).map(|(value, _)| value.clone())
    }

    /// Keeps a value of so many bytes instead of the one before.
    pub(crate) fn keep(&self, key: K, value: V, bytes: usize) {
        let bytes = ENTRY + bytes;
        if bytes > self.bytes / 2 {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
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
    fn what_was_not_used_for_longest_goes_first() {
        let cache = Cache::new(4 * (ENTRY + 100));
        for key in ["a", "b", "c", "d"] {
            cache.keep(key, (), 100);
        }
        assert!(cache.get(&"a").is_some());
        cache.keep("e", (), 0);
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
            cache.keep("a", value, 100);
            cache.keep("b", value, 50);
        }
        assert_eq!((cache.get(&"a"), cache.get(&"b")), (Some(99), Some(99)));
    }

    #[test]
    fn what_is_too_large_for_it_is_not_kept() {
        let cache = Cache::new(4 * (ENTRY + 100));
        cache.keep("a", (), 2 * (ENTRY + 100));
        assert!(cache.get(&"a").is_none());
    }

    #[test]
    fn many_small_values_are_not_free() {
        let cache = Cache::new(100 * ENTRY);
        for key in 0..1000 {
            cache.keep(key, (), 0);
        }
        assert_eq!(
            (0..1000).filter(|key| cache.get(key).is_some()).count(),
            100
        );
    }
}
