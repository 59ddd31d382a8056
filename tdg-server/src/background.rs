//! Threads for long-running work. They leave the processors to the threads that answer requests.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::OnceLock;
use std::time::Duration;

use tdg_service::{Result, ServiceError};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::task;

/// The time for which an idle thread, with the memory that it has freed, is kept.
const KEEP_ALIVE: Duration = Duration::from_millis(50);

/// Runs `work` on one of these threads and returns its result. The work finishes even if the caller
/// stops waiting. A panic in it resumes in the caller.
///
/// # Errors
///
/// If the server shuts down first.
pub(crate) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let (sender, done) = oneshot::channel();
    // Boxed, because tokio's tasks are large.
    spawn(Box::new(move || {
        // The caller may be gone.
        drop(sender.send(catch_unwind(AssertUnwindSafe(work))));
    }));
    match done.await {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(panic)) => resume_unwind(panic),
        Err(_) => Err(ending()),
    }
}

/// The error of work that the shutdown of the server cuts off.
pub(crate) fn ending() -> ServiceError {
    ServiceError::unavailable("the server is shutting down; try again")
}

fn spawn(work: Box<dyn FnOnce() + Send>) {
    /// Only the runtime's blocking threads are used. It is never dropped: dropping it would wait
    /// for work that continues at shutdown.
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
    };
}

/// Lowers the priority of this thread. It gets a tenth of a processor that a thread with a request
/// wants too, and otherwise all of it.
#[cfg(target_os = "linux")]
fn lower_priority() {
    // If this isn't permitted, the work runs at normal priority.
    let _ = rustix::process::nice(10);
}

/// On other systems, threads have the priority of their process.
#[cfg(not(target_os = "linux"))]
fn lower_priority() {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_threads_for_long_work_have_a_low_priority() {
        let priority = || rustix::process::nice(0).unwrap();
        let before = priority();
        assert_eq!(run(priority).await.unwrap(), (before + 10).min(19));
        assert_eq!(task::spawn_blocking(priority).await.unwrap(), before);
        assert_eq!(priority(), before);
    }
}
