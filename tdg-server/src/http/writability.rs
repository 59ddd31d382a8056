//! Detects that the database can't be written, such as on a full disk.

use std::sync::Mutex;
use std::time::Duration;

use tdg_service::{Result, ServiceError};
use tokio::time::Instant;

use crate::lock::locked;

/// The time for which a result is trusted. Readiness checks cause at most one write in this time.
const FRESH: Duration = Duration::from_secs(5);

/// The last result, from refused requests and from test writes.
#[derive(Default)]
pub(super) struct Writability {
    known: Mutex<Option<KnownWritability>>,
    /// Held during a test write, so that one serves all callers.
    finding_out: tokio::sync::Mutex<()>,
}

#[derive(Clone)]
struct KnownWritability {
    since: Instant,
    outcome: Result<()>,
}

impl Writability {
    /// Notes that a request was refused for this reason. A fresh failure keeps its age, because
    /// failed readiness checks end here too.
    pub(super) fn refused(&self, error: &ServiceError) {
        if !matches!(self.fresh(), Some(Err(_))) {
            self.remember(Err(error.clone()));
        }
    }

    /// Returns the last result if it is fresh, and otherwise the outcome of `write`.
    pub(super) async fn check(&self, write: impl Future<Output = Result<()>>) -> Result<()> {
        if let Some(outcome) = self.fresh() {
            return outcome;
        }
        let _one = self.finding_out.lock().await;
        if let Some(outcome) = self.fresh() {
            return outcome;
        }
        let outcome = write.await;
        // A database that doesn't answer may recover at any moment.
        if matches!(outcome, Ok(()) | Err(ServiceError::Unwritable(_))) {
            self.remember(outcome.clone());
        }
        outcome
    }

    fn fresh(&self) -> Option<Result<()>> {
        let known = locked(&self.known);
        let known = known.as_ref()?;
        (known.since.elapsed() < FRESH).then(|| known.outcome.clone())
    }

    fn remember(&self, outcome: Result<()>) {
        let mut known = locked(&self.known);
        let before = known.as_ref().is_none_or(|known| known.outcome.is_ok());
        match &outcome {
            Err(error) if before => tracing::error!(%error, "nothing can be stored"),
            Ok(()) if !before => tracing::info!("the database can be written again"),
            _ => {}
        }
        let since = Instant::now();
        *known = Some(KnownWritability { since, outcome });
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use futures_util::future::join_all;
    use tokio::time::{advance, sleep};

    use super::*;

    fn full() -> ServiceError {
        ServiceError::unwritable("the disk is full")
    }

    #[tokio::test(start_paused = true)]
    async fn however_many_ask_one_write_in_some_seconds_finds_out() {
        let writability = Writability::default();
        let writes = Cell::new(0);
        let write = || async {
            writes.set(writes.get() + 1);
            sleep(Duration::from_millis(10)).await;
            Ok(())
        };
        for expected in 1..=2 {
            for _ in 0..2 {
                let asked = join_all((0..100).map(|_| writability.check(write()))).await;
                assert!(asked.iter().all(Result::is_ok));
                assert_eq!(writes.get(), expected);
            }
            advance(FRESH).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_refused_request_is_remembered_until_a_write_succeeds() {
        let writability = Writability::default();
        assert_eq!(writability.check(async { Ok(()) }).await, Ok(()));
        writability.refused(&full());
        let unexpected = async { panic!("a write") };
        assert_eq!(writability.check(unexpected).await, Err(full()));
        advance(FRESH / 2).await;
        writability.refused(&full());
        advance(FRESH / 2).await;
        assert_eq!(writability.check(async { Err(full()) }).await, Err(full()));
        advance(FRESH).await;
        assert_eq!(writability.check(async { Ok(()) }).await, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_database_that_does_not_answer_is_asked_again() {
        let writability = Writability::default();
        let gone = || ServiceError::unavailable("gone");
        assert_eq!(writability.check(async { Err(gone()) }).await, Err(gone()));
        assert_eq!(writability.check(async { Ok(()) }).await, Ok(()));
    }
}
