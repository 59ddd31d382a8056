//! Rate limits: how often something may happen per second, for each account or address.

use std::hash::Hash;
use std::num::NonZero;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use lru::LruCache;

use crate::lock::locked;

/// Counts events in this server.
pub(crate) struct Limiter<K: Hash + Eq> {
    buckets: Mutex<LruCache<K, Bucket>>,
}

/// The remaining events of a key. The number grows over time, up to a second's worth.
struct Bucket {
    left: f64,
    at: Instant,
}

/// The maximum number of buckets. The least recently used are evicted.
const MOST: NonZero<usize> = NonZero::<usize>::MIN.saturating_add(9_999);

impl<K: Hash + Eq> Limiter<K> {
    pub(crate) fn new() -> Self {
        Limiter {
            buckets: Mutex::new(LruCache::new(MOST)),
        }
    }

    /// Counts one more event, and returns the used share.
    ///
    /// # Errors
    ///
    /// The time until the next is allowed.
    pub(crate) fn take(&self, key: K, rate: u64) -> Result<f64, Duration> {
        self.take_at(key, rate, Instant::now())
    }

    fn take_at(&self, key: K, rate: u64, now: Instant) -> Result<f64, Duration> {
        let rate = rate.max(1) as f64;
        let full = || Bucket {
            left: rate,
            at: now,
        };
        let mut buckets = locked(&self.buckets);
        let bucket = buckets.get_or_insert_mut(key, full);
        bucket.refill(rate, now)?;
        bucket.left -= 1.0;
        Ok(1.0 - bucket.left / rate)
    }

    /// Fails if one more event would be too many, without counting it.
    pub(crate) fn check(&self, key: &K, rate: u64) -> Result<(), Duration> {
        self.check_at(key, rate, Instant::now)
    }

    fn check_at(&self, key: &K, rate: u64, now: impl Fn() -> Instant) -> Result<(), Duration> {
        match locked(&self.buckets).get_mut(key) {
            Some(bucket) => bucket.refill(rate.max(1) as f64, now()),
            None => Ok(()),
        }
    }
}

impl Bucket {
    /// Refills the bucket. Fails if it isn't enough for one event, with the time until it is.
    fn refill(&mut self, rate: f64, now: Instant) -> Result<(), Duration> {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = (self.left + passed * rate).min(rate);
        self.at = now;
        if self.left < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - self.left) / rate));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_account_has_its_own_rate() {
        let limiter = Limiter::new();
        let now = Instant::now();
        let later = now + Duration::from_millis(500);
        let take = |key, at| limiter.take_at(key, 2, at);
        assert_eq!(take(1, now), Ok(0.5));
        assert_eq!(take(1, now), Ok(1.0));
        assert_eq!(take(1, now), Err(Duration::from_millis(500)));
        assert_eq!(take(2, now), Ok(0.5));
        assert_eq!(take(1, later), Ok(1.0));
        assert!(take(1, later).is_err());
    }

    #[test]
    fn a_check_counts_nothing() {
        let limiter = Limiter::new();
        let now = Instant::now();
        for _ in 0..3 {
            assert!(limiter.check_at(&"", 1, || now).is_ok());
        }
        assert!(limiter.take_at("", 1, now).is_ok());
        assert!(limiter.check_at(&"", 1, || now).is_err());
        assert!(
            limiter
                .check_at(&"", 1, || now + Duration::from_secs(1))
                .is_ok()
        );
    }

    #[test]
    fn another_rate_counts_from_now_on() {
        let limiter = Limiter::new();
        let now = Instant::now();
        assert_eq!(limiter.take_at("", 4, now), Ok(0.25));
        assert_eq!(limiter.take_at("", 1, now), Ok(1.0));
        assert!(limiter.take_at("", 1, now).is_err());
    }

    #[test]
    fn its_memory_is_bounded() {
        let limiter = Limiter::new();
        let now = Instant::now();
        for key in 0..2 * MOST.get() {
            limiter.take_at(key, 1, now).unwrap();
        }
        assert_eq!(limiter.buckets.lock().unwrap().len(), MOST.get());
    }
}
