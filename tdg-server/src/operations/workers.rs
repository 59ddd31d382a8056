//! Threads for drawing and comparing, so that those that answer other clients are not kept.

use std::panic::resume_unwind;
use std::sync::Arc;

use tdg_service::{Result, ServiceError};
use tokio::sync::Semaphore;
use tokio::task;

/// What is read and compared in less time than another thread takes to begin.
const SHORT: usize = 16 << 10;

/// As many threads as work at once; what comes beyond waits.
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

    /// Does `work` on one of the threads; a panic in it goes on here.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let ending = || ServiceError::Unavailable("the server is ending; try again".to_owned());
        let permit = self
            .free
            .clone()
            .acquire_owned()
            .await
            .map_err(|_| ending())?;
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

    /// The same for work on so many bytes; on few, it is done here.
    pub(crate) async fn run_by_length<T: Send + 'static>(
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
