//! Locks that a panic elsewhere doesn't take away.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is locked, also if another thread has panicked while it held the lock.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
