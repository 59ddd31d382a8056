//! Threads for work that takes long. They leave the processors to the threads that answer.

use std::sync::OnceLock;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::task::{self, JoinHandle};

/// How long an idle thread is kept, with the memory that it has freed.
const KEEP_ALIVE: Duration = Duration::from_millis(50);

/// Does `work` on one of these threads.
pub(crate) fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    /// Only its blocking threads are used. It is never dropped: the work that goes on when the
    /// server ends is nobody's.
    static THREADS: OnceLock<Option<Runtime>> = OnceLock::new();
    let threads = THREADS.get_or_init(|| {
        let threads = Builder::new_current_thread()
            .thread_name("tdg-background")
            .thread_keep_alive(KEEP_ALIVE)
            .on_thread_start(lower_priority)
            .build();
        threads.ok()
    });
    match threads {
        Some(threads) => threads.spawn_blocking(work),
        None => task::spawn_blocking(work),
    }
}

/// With this priority, a thread gets a tenth of a processor that an answering one wants too, and
/// all of it otherwise.
#[cfg(target_os = "linux")]
fn lower_priority() {
    // Where that is forbidden, the work takes its share as before.
    let _ = rustix::process::nice(10);
}

/// Elsewhere, threads have the priority of their process.
#[cfg(not(target_os = "linux"))]
fn lower_priority() {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_threads_for_long_work_have_a_low_priority() {
        let priority = || rustix::process::nice(0).unwrap();
        let before = priority();
        assert_eq!(spawn(priority).await.unwrap(), (before + 10).min(19));
        assert_eq!(task::spawn_blocking(priority).await.unwrap(), before);
        assert_eq!(priority(), before);
    }
}
