//! Rate limits by key.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;

use super::problem::Problem;
use crate::keys::Prefix;

/// Requests a second, which is also the burst size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct Rate(u32);

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(rate) if rate > 0 => Ok(Rate(rate)),
            _ => Err("a rate is a number of requests per second, at least 1".to_owned()),
        }
    }
}

/// Counts the requests of each key, in this replica.
pub(super) struct RateLimiter {
    rate: f64,
    buckets: Mutex<HashMap<Prefix, Bucket>>,
}

/// The remaining requests of a key. It refills as time passes.
struct Bucket {
    left: f64,
    at: Instant,
}

impl RateLimiter {
    /// The number of keys beyond which those with a full bucket are forgotten.
    const KEYS: usize = 10_000;

    pub(super) fn new(rate: Rate) -> Self {
        RateLimiter {
            rate: f64::from(rate.0),
            buckets: Mutex::default(),
        }
    }

    /// Counts a request.
    ///
    /// # Errors
    ///
    /// 429, with the time until the next request is allowed.
    pub(super) fn take(&self, key: &Prefix) -> Result<(), Problem> {
        self.take_at(key, Instant::now()).map_err(|wait| {
            let detail = format!("more than {} requests per second with this key", self.rate);
            Problem::new(StatusCode::TOO_MANY_REQUESTS, detail).retry_after(wait)
        })
    }

    fn take_at(&self, key: &Prefix, now: Instant) -> Result<(), Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= Self::KEYS {
            buckets.retain(|_, bucket| now.duration_since(bucket.at) < Duration::from_secs(1));
        }
        let full = || Bucket {
            left: self.rate,
            at: now,
        };
        let bucket = buckets.entry(key.clone()).or_insert_with(full);
        let passed = now.duration_since(bucket.at).as_secs_f64();
        bucket.left = (bucket.left + passed * self.rate).min(self.rate);
        bucket.at = now;
        if bucket.left < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - bucket.left) / self.rate));
        }
        bucket.left -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_a_rate_of_its_own() {
        let limiter = RateLimiter::new("2".parse().unwrap());
        let (one, other) = (Prefix::from("1".to_owned()), Prefix::from("2".to_owned()));
        let now = Instant::now();
        let later = now + Duration::from_millis(500);
        assert_eq!(limiter.take_at(&one, now), Ok(()));
        assert_eq!(limiter.take_at(&one, now), Ok(()));
        assert_eq!(limiter.take_at(&one, now), Err(Duration::from_millis(500)));
        assert_eq!(limiter.take_at(&other, now), Ok(()));
        assert_eq!(limiter.take_at(&one, later), Ok(()));
        assert!(limiter.take_at(&one, later).is_err());
    }

    #[test]
    fn a_rate_is_a_positive_number() {
        for text in ["0", "-1", "ten", ""] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }
}
