//! Threads for drawing and comparing, so that they don't block those that serve other clients.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tdg_definition::interruptible;
use tdg_service::{Result, ServiceError};

use crate::background::{self, ending};
use crate::database::Account;
use crate::metrics;
use crate::turns::{Turn, Turns};

/// The bytes that are parsed and compared in less time than another thread takes to start.
const SHORT: usize = 16 << 10;

/// JSON of more bytes is read by one work at a time: its values take up to 40 times as much memory.
pub(super) const LARGE: usize = 4 << 20;

/// How long work goes on while other work waits.
const SLICE: Duration = Duration::from_millis(5);

/// How many accounts can have begun as much work as there are threads. Work holds its memory also
/// while it waits for its next turn.
const ACCOUNTS: usize = 16;

/// A number of threads, for which accounts take turns. Long work is cut into slices.
#[derive(Clone)]
pub(crate) struct Workers {
    large: Turns,
    begun: Turns,
    turns: Turns,
}

/// The end of work that nobody waits for any more.
struct Abandoned;

impl Workers {
    pub(crate) fn new(threads: usize) -> Self {
        Workers {
            large: Turns::new(1, 1),
            begun: Turns::new(ACCOUNTS * threads, threads),
            turns: Turns::new(threads, threads),
        }
    }

    /// Does `work`, which reads that many bytes of JSON, on one of the threads. A panic in it
    /// continues here. If the caller stops waiting, the work stops at its next checkpoint.
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

    /// How many wait to begin.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.begun.waiting() + self.turns.waiting()
    }

    /// The same, but here if the bytes are few.
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

/// Called at checkpoints: passes the turn on after each slice, and stops what is abandoned.
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

    /// Work that goes on until it is told to end, with checkpoints.
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
    async fn large_work_is_done_one_at_a_time_and_keeps_nobody_else_waiting() {
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
    async fn work_stops_when_nobody_waits_for_it() {
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
        // There is one thread, which is free once the work has stopped.
        let served = workers.run(Account(1), 0, || Ok(7));
        let served = tokio::time::timeout(Duration::from_secs(10), served).await;
        let had_ended = end.swap(true, Ordering::Relaxed);
        assert_eq!(served.expect("the work has stopped").unwrap(), 7);
        assert!(!had_ended);
    }
}
