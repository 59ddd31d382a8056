//! Numbers that only grow, or grow and shrink.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// A number that many threads change.
#[derive(Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    pub(crate) const fn new() -> Self {
        Count(AtomicU64::new(0))
    }

    pub(crate) fn add(&self, number: u64) {
        self.0.fetch_add(number, Relaxed);
    }

    /// Subtracts a number that was added before.
    pub(crate) fn subtract(&self, number: u64) {
        self.0.fetch_sub(number, Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}
