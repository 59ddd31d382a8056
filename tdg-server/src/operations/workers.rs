//! Threads for drawing and comparing, so that they don't block those that serve other clients.

use std::panic::resume_unwind;
use std::sync::Arc;

use tdg_service::{Result, ServiceError};
use tokio::sync::Semaphore;
use tokio::task;

use crate::metrics;

/// The bytes that are parsed and compared in less time than another thread takes to start.
const SHORT: usize = 16 << 10;

/// A number of threads; further work waits for one of them.
#[derive(Clone)]
pub(crate) struct Workers {
    free: Arc<Semaphore>,
}

impl Workers {
    pub(crate) fn new(threads: usize) -> Self {
        Workers {
            free: Arc::new(Semaphore::new(threads.max(1))),
        }
    }

    /// Does `work` on one of the threads. A panic in it continues here.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let ending = || ServiceError::unavailable("the server is shutting down; try again");
        let turn = self.free.clone().acquire_owned();
        let permit = metrics::WORKERS.wait(turn).await.map_err(|_| ending())?;
        let working = task::spawn_blocking(move || {
            let done = work();
            drop(permit);
            done
        });
        match working.await {
            Ok(done) => done,
            Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
            Err(_) => Err(ending()),
        }
    }

    /// Does `work` on `bytes` bytes: here if they are few, else on one of the threads.
    pub(crate) async fn run_sized<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        if bytes <= SHORT {
            work()
        } else {
            self.run(work).await
        }
    }
}
