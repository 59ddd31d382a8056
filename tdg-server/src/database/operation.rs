//! An operation without the types of its arguments and its result, so that the ways to use a
//! database are compiled once, and not for each operation.

use std::sync::{Arc, Mutex, PoisonError};

use tdg_service::{Result, ServiceError};

use super::Account;
use super::session::{
    Args, DatabaseFuture, DatabaseSession, SessionEngine, SessionWork, WorkResult,
};

/// Statements that may be done again.
pub(super) trait Operation: Send + Sync {
    fn run<'a>(&'a self, engine: SessionEngine<'a>) -> DatabaseFuture<'a, ()>;
}

/// An operation that keeps its result for whoever asked for it.
pub(super) struct PendingOperation<A, T> {
    account: Account,
    args: A,
    work: SessionWork<A, T>,
    result: Mutex<Option<T>>,
}

impl<A: Args, T: WorkResult> PendingOperation<A, T> {
    pub(super) fn new(account: Account, args: A, work: SessionWork<A, T>) -> Arc<Self> {
        Arc::new(PendingOperation {
            account,
            args,
            work,
            result: Mutex::new(None),
        })
    }

    /// The result, once it has run.
    pub(super) fn take_result(&self) -> Result<T> {
        let mut result = self.result.lock().unwrap_or_else(PoisonError::into_inner);
        let missing = || ServiceError::unexpected("an operation has ended without a result");
        result.take().ok_or_else(missing)
    }
}

impl<A: Args, T: WorkResult> Operation for PendingOperation<A, T> {
    fn run<'a>(&'a self, engine: SessionEngine<'a>) -> DatabaseFuture<'a, ()> {
        let work = (self.work)(DatabaseSession::new(self.account, engine), &self.args);
        Box::pin(async {
            let value = work.await?;
            *self.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
            Ok(())
        })
    }
}
