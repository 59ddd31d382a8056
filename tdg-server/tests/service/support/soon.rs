//! Waiting for events in other processes.

use std::thread;
use std::time::{Duration, Instant};

/// The time that a test waits before it fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Returns the first value that `find` returns.
pub(crate) fn soon<T>(find: impl Fn() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(Instant::now() < end, "it doesn't happen");
        thread::sleep(Duration::from_millis(5));
    }
}
