//! The statements of an operation without the types of its arguments and its result, so that the
//! ways to use a database are compiled once, and not for each operation.

use std::sync::{Arc, Mutex};

use tdg_service::{Result, ServiceError};

use super::Account;
use super::session::{
    Args, DatabaseFuture, DatabaseSession, SessionEngine, SessionWork, WorkResult,
};
use crate::locked::locked;

/// How an operation uses the database. Each is atomic, but [`WriteOne`](Self::WriteOne) of several
/// statements on PostgreSQL.
#[derive(Clone, Copy)]
pub(super) enum Access {
    /// A single short query: on SQLite by the thread that asks, on PostgreSQL by a connection that
    /// others use at the same time.
    LookUp,
    /// A single query that may take long.
    Query,
    /// Several queries that see one state of the database.
    Read,
    /// A single statement that writes about that many bytes, or several that do not depend on each
    /// other.
    WriteOne(usize),
    /// Statements that write about that many bytes, and are all done or none. They are on the disk
    /// when they have run.
    Write(usize),
}

/// Statements that may be done again.
pub(super) trait DatabaseWork: Send + Sync {
    fn run<'a>(&'a self, engine: SessionEngine<'a>) -> DatabaseFuture<'a, ()>;
}

/// An operation that keeps its result for whoever asked for it.
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

    /// The result, once it has run.
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
