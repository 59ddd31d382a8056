//! Locks that survive a panic elsewhere.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, even if another thread has panicked while it held the lock.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
