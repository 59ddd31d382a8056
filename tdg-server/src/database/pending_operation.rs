//! The statements of an operation with erased argument and result types, so that the ways to use a
//! database are compiled once, and not for each operation.

use std::sync::{Arc, Mutex};

use super::session::{
    Args, DatabaseFuture, DatabaseSession, SessionEngine, SessionWork, WorkResult,
};
use crate::account::Account;
use crate::lock::locked;
use tdg_service::{Result, ServiceError};

/// The way in which an operation uses the database. Each is atomic, except for
/// [`WriteOne`](Self::WriteOne) with several statements on PostgreSQL.
#[derive(Clone, Copy)]
pub(super) enum Access {
    /// A single short query: on SQLite on the caller's thread, on PostgreSQL on a shared
    /// connection.
    LookUp,
    /// A single query that may take long.
    Query,
    /// Several queries that see the same state of the database.
    Read,
    /// A single statement that writes about this many bytes, or several independent ones.
    WriteOne(usize),
    /// Statements that write about this many bytes, all or none. When this returns, they are on the
    /// disk.
    Write(usize),
}

/// Statements that may run again.
pub(super) trait DatabaseWork: Send + Sync {
    fn run<'a>(&'a self, engine: SessionEngine<'a>) -> DatabaseFuture<'a, ()>;
}

/// An operation that keeps its result for the caller.
pub(super) struct PendingWork<A, T> {
    account: Account,
    args: A,
    work: SessionWork<A, T>,
    result: Mutex<Option<T>>,
}

impl<A: Args, T: WorkResult> PendingWork<A, T> {
    pub(super) fn new(account: Account, args: A, work: SessionWork<A, T>) -> Arc<Self> {
        Arc::new(PendingWork {
            account,
            args,
            work,
            result: Mutex::new(None),
        })
    }

    /// Returns the result, once the operation has run.
    pub(super) fn take_result(&self) -> Result<T> {
        let missing = || ServiceError::unexpected("an operation has ended without a result");
        locked(&self.result).take().ok_or_else(missing)
    }
}

impl<A: Args, T: WorkResult> DatabaseWork for PendingWork<A, T> {
    fn run<'a>(&'a self, engine: SessionEngine<'a>) -> DatabaseFuture<'a, ()> {
        let work = (self.work)(DatabaseSession::new(self.account, engine), &self.args);
        Box::pin(async {
            let value = work.await?;
            *locked(&self.result) = Some(value);
            Ok(())
        })
    }
}
