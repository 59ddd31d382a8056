//! Threads for drawing and comparing, so that these don't block the threads that serve clients.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tdg_definition::interruptible;
use tdg_service::{Result, ServiceError};

use crate::account::Account;
use crate::background::{self, ending};
use crate::fair_queue::{FairQueue, Turn};
use crate::metrics;

/// The size up to which parsing and comparing takes less time than waking another thread.
const SHORT: usize = 16 << 10;

/// The size above which only one job parses JSON at a time: values take up to 40 times the memory.
pub(super) const LARGE: usize = 4 << 20;

/// The duration that a job runs while others wait.
const SLICE: Duration = Duration::from_millis(5);

/// The number of accounts that can each have as many started jobs as there are threads. A job holds
/// its memory even while it waits for its next turn.
const ACCOUNTS: usize = 16;

/// A number of threads that accounts take turns on. Long jobs are cut into slices.
#[derive(Clone)]
pub(crate) struct Workers {
    large: FairQueue,
    begun: FairQueue,
    turns: FairQueue,
}

/// The panic payload that ends a job without a caller.
struct Abandoned;

impl Workers {
    pub(crate) fn new(threads: usize) -> Self {
        Workers {
            large: FairQueue::new(1, 1),
            begun: FairQueue::new(ACCOUNTS * threads, threads),
            turns: FairQueue::new(threads, threads),
        }
    }

    /// Runs `work`, which reads this many bytes of JSON, on one of the threads. A panic in it
    /// resumes in the caller. If the caller stops waiting, the work stops at its next checkpoint.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        account: Account,
        bytes: usize,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let turns = async {
            let large = match bytes > LARGE {
                true => Some(self.large.take(account).await?),
                false => None,
            };
            let begun = (large, self.begun.take(account).await?);
            Ok::<_, ServiceError>((begun, self.turns.take(account).await?))
        };
        let (begun, turn) = metrics::WORKERS.wait(turns).await?;
        let caller = AbandonOnDrop::default();
        let abandoned = caller.0.clone();
        let done = background::run(move || {
            let _begun = begun;
            let work = || interruptible(slices(turn, abandoned), work);
            catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(continue_panic)
        });
        done.await?
    }

    /// Returns the number of jobs that wait to start.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.begun.waiting() + self.turns.waiting()
    }

    /// Like `run`, but on the current thread if the bytes are few.
    pub(crate) async fn run_sized<T: Send + 'static>(
        &self,
        account: Account,
        bytes: usize,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        if bytes <= SHORT {
            work()
        } else {
            self.run(account, bytes, work).await
        }
    }
}

/// Returns the checkpoint function: passes the turn on after each slice, and stops abandoned work.
fn slices(turn: Turn, abandoned: Arc<AtomicBool>) -> impl FnMut() {
    let mut turn = Some(turn);
    let mut began = Instant::now();
    move || {
        if abandoned.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Abandoned));
        }
        if began.elapsed() < SLICE {
            return;
        }
        match turn.take().map(Turn::pass) {
            Some(Ok(next)) => turn = Some(next),
            _ => resume_unwind(Box::new(Abandoned)),
        }
        began = Instant::now();
    }
}

fn continue_panic<T>(panic: Box<dyn Any + Send>) -> Result<T> {
    if panic.is::<Abandoned>() {
        return Err(ending());
    }
    resume_unwind(panic)
}

/// Marks the work as abandoned when the caller stops waiting.
#[derive(Default)]
struct AbandonOnDrop(Arc<AtomicBool>);

impl Drop for AbandonOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use tdg_definition::checkpoint;
    use tokio::task;

    /// Returns work with checkpoints that runs until `end` is set.
    fn endless(end: &Arc<AtomicBool>) -> impl FnOnce() -> Result<()> + Send + 'static {
        let end = end.clone();
        move || {
            while !end.load(Ordering::Relaxed) {
                checkpoint();
            }
            Ok(())
        }
    }

    #[tokio::test]
    async fn an_account_is_served_while_another_fills_every_worker() {
        let workers = Workers::new(2);
        let end = Arc::new(AtomicBool::new(false));
        let busy: Vec<_> = (0..16)
            .map(|_| {
                let (workers, work) = (workers.clone(), endless(&end));
                tokio::spawn(async move { workers.run(Account(1), 0, work).await })
            })
            .collect();
        task::yield_now().await;
        let served = workers.run(Account(2), 0, || Ok(7));
        let served = tokio::time::timeout(Duration::from_secs(10), served).await;
        end.store(true, Ordering::Relaxed);
        for work in busy {
            work.await.unwrap().unwrap();
        }
        assert_eq!(served.expect("served before the other ends").unwrap(), 7);
    }

    #[tokio::test]
    async fn large_work_is_done_one_at_a_time_without_blocking_others() {
        let workers = Workers::new(8);
        let (end, second) = (Arc::default(), Arc::new(AtomicBool::new(false)));
        let run = |account, work: Box<dyn FnOnce() -> Result<()> + Send>| {
            let workers = workers.clone();
            tokio::spawn(async move { workers.run(Account(account), LARGE + 1, work).await })
        };
        let begun = second.clone();
        let large = [
            run(1, Box::new(endless(&end))),
            run(
                2,
                Box::new(move || {
                    begun.store(true, Ordering::Relaxed);
                    Ok(())
                }),
            ),
        ];
        task::yield_now().await;
        workers.run(Account(3), LARGE, || Ok(())).await.unwrap();
        assert!(!second.load(Ordering::Relaxed));
        end.store(true, Ordering::Relaxed);
        for work in large {
            work.await.unwrap().unwrap();
        }
        assert!(second.load(Ordering::Relaxed));
    }

    #[tokio::test]
    async fn work_stops_when_its_caller_is_gone() {
        let workers = Workers::new(1);
        let end = Arc::new(AtomicBool::new(false));
        let (begun, has_begun) = mpsc::channel();
        let (running, work) = (workers.clone(), endless(&end));
        let work = tokio::spawn(async move {
            let work = move || {
                begun.send(()).unwrap();
                work()
            };
            running.run(Account(1), 0, work).await
        });
        let begin = task::spawn_blocking(move || has_begun.recv().unwrap());
        begin.await.unwrap();
        work.abort();
        // The only thread is free once the work has stopped.
        let served = workers.run(Account(1), 0, || Ok(7));
        let served = tokio::time::timeout(Duration::from_secs(10), served).await;
        let had_ended = end.swap(true, Ordering::Relaxed);
        assert_eq!(served.expect("the work has stopped").unwrap(), 7);
        assert!(!had_ended);
    }
}
