//! What was sent not long ago.

use std::sync::{Mutex, PoisonError};

use lru::LruCache;
use tdg::service::Uuid;

/// What was sent of the things that were asked for last, so many bytes of it. Whether a caller may have it,
/// and whether it is still so, is asked elsewhere.
pub(super) struct Cache<T> {
    bytes: usize,
    kept: Mutex<Kept<T>>,
}

struct Kept<T> {
    /// Each with its bytes.
    values: LruCache<Uuid, (T, usize)>,
    bytes: usize,
}

impl<T: Clone> Cache<T> {
    /// One that keeps at most so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        let kept = Kept {
            values: LruCache::unbounded(),
            bytes: 0,
        };
        Cache {
            bytes,
            kept: Mutex::new(kept),
        }
    }

    pub(super) fn get(&self, uuid: Uuid) -> Option<T> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.values.get(&uuid).map(|(value, _)| value.clone())
    }

    /// Keeps a value of so many bytes instead of the one before.
    pub(super) fn keep(&self, uuid: Uuid, value: T, bytes: usize) {
        if bytes > self.bytes / 4 {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let before = kept.values.put(uuid, (value, bytes));
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

    const A: Uuid = Uuid::from_u128(1);
    const B: Uuid = Uuid::from_u128(2);
    const C: Uuid = Uuid::from_u128(3);
    const D: Uuid = Uuid::from_u128(4);
    const E: Uuid = Uuid::from_u128(5);

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let cache = Cache::new(100);
        for uuid in [A, B, C, D] {
            cache.keep(uuid, (), 25);
        }
        assert!(cache.get(A).is_some());
        cache.keep(E, (), 1);
        assert!(cache.get(B).is_none());
        assert!([A, C, D, E].iter().all(|uuid| cache.get(*uuid).is_some()));
    }

    #[test]
    fn what_is_kept_anew_takes_the_place_of_what_was_before() {
        let cache = Cache::new(100);
        for value in 0..100 {
            cache.keep(A, value, 25);
            cache.keep(B, value, 20);
        }
        assert_eq!((cache.get(A), cache.get(B)), (Some(99), Some(99)));
    }

    #[test]
    fn what_is_too_large_for_it_is_not_kept() {
        let cache = Cache::new(100);
        cache.keep(A, (), 26);
        assert!(cache.get(A).is_none());
    }
}
