//! The connections that read.

use std::sync::{Arc, Mutex};

use rusqlite::{Connection, InterruptHandle};
use tdg_service::ServiceError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::SqliteConnection;
use crate::account::Account;
use crate::database::error::{DatabaseError, DatabaseResult};
use crate::fair_queue::FairQueue;
use crate::lock::locked;
use crate::{background, metrics};

/// A pool of connections. Reads in excess of their number wait.
pub(super) struct Readers {
    free: Arc<Semaphore>,
    /// Permits for transactions, which may take long. One connection is left for single statements,
    /// such as the look-up of a key. Accounts take turns, and one alone leaves a place to others.
    transactions: FairQueue,
    connections: Arc<Mutex<Vec<SqliteConnection>>>,
}

impl Readers {
    pub(super) fn new(connections: Vec<Connection>) -> Self {
        let transactions = connections.len().saturating_sub(1).max(1);
        Readers {
            free: Arc::new(Semaphore::new(connections.len())),
            transactions: FairQueue::new(transactions, transactions.saturating_sub(1)),
            connections: Arc::new(Mutex::new(
                connections.into_iter().map(SqliteConnection::new).collect(),
            )),
        }
    }

    /// Runs a single statement on this thread. It sees a single state without a transaction.
    pub(super) async fn query<T>(
        &self,
        read: impl FnOnce(&SqliteConnection) -> DatabaseResult<T>,
    ) -> DatabaseResult<T> {
        read(self.take().await?.connection()?)
    }

    /// Runs `read` on one state of the database, on a thread that may block. If the caller stops
    /// waiting, its statement is interrupted.
    pub(super) async fn transaction<T: Send + 'static>(
        &self,
        account: Account,
        read: impl FnOnce(&SqliteConnection) -> DatabaseResult<T> + Send + 'static,
    ) -> DatabaseResult<T> {
        let turn = metrics::DATABASE.wait(self.transactions.take(account));
        let turn = turn.await?;
        let taken = self.take().await?;
        let running = taken.connection()?.lock().get_interrupt_handle();
        let running = Arc::new(Mutex::new(Some(running)));
        let _caller = ReadCaller(running.clone());
        let read = background::run(move || {
            let _turn = turn;
            let connection = taken.connection()?;
            let _transaction = ReadTransaction::begin(connection)?;
            // Dropped before the transaction, whose end must not be interrupted.
            let _running = RunningRead(running);
            read(connection)
        });
        read.await?
    }

    async fn take(&self) -> DatabaseResult<TakenConnection> {
        let turn = self.free.clone().acquire_owned();
        let permit = metrics::DATABASE.wait(turn).await;
        let permit = permit.map_err(|_| closing())?;
        let connection = locked(&self.connections).pop();
        Ok(TakenConnection {
            connection,
            from: self.connections.clone(),
            _permit: permit,
        })
    }
}

/// The handle that interrupts a connection's statements, until they have ended.
type Interruptible = Arc<Mutex<Option<InterruptHandle>>>;

/// Interrupts a read when its caller stops waiting.
struct ReadCaller(Interruptible);

impl Drop for ReadCaller {
    fn drop(&mut self) {
        if let Some(running) = &*locked(&self.0) {
            running.interrupt();
        }
    }
}

struct RunningRead(Interruptible);

impl Drop for RunningRead {
    fn drop(&mut self) {
        locked(&self.0).take();
    }
}

/// A connection that is returned to the pool, even after a panic.
struct TakenConnection {
    connection: Option<SqliteConnection>,
    from: Arc<Mutex<Vec<SqliteConnection>>>,
    /// Released after the connection is returned.
    _permit: OwnedSemaphorePermit,
}

impl TakenConnection {
    fn connection(&self) -> DatabaseResult<&SqliteConnection> {
        self.connection.as_ref().ok_or_else(closing)
    }
}

impl Drop for TakenConnection {
    fn drop(&mut self) {
        locked(&self.from).extend(self.connection.take());
    }
}

/// A transaction that reads. rusqlite's own would parse its statements each time.
struct ReadTransaction<'c> {
    connection: &'c SqliteConnection,
}

impl<'c> ReadTransaction<'c> {
    fn begin(connection: &'c SqliteConnection) -> rusqlite::Result<Self> {
        connection.lock().prepare_cached("BEGIN")?.execute([])?;
        Ok(ReadTransaction { connection })
    }
}

impl Drop for ReadTransaction<'_> {
    fn drop(&mut self) {
        let connection = self.connection.lock();
        let end = connection.prepare_cached("ROLLBACK");
        if let Err(error) = end.and_then(|mut end| end.execute([])) {
            tracing::error!(%error, "a read transaction could not be ended");
        }
    }
}

fn closing() -> DatabaseError {
    ServiceError::unavailable("the database is closing; try again").into()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::yield_now;
    use std::time::Duration;

    use futures_util::future::join_all;
    use tokio::sync::oneshot;
    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn an_account_reads_while_another_waits_for_hundreds_of_reads() {
        let connections = [(); 4].map(|()| Connection::open_in_memory().unwrap());
        let readers = Readers::new(connections.into());
        let end = Arc::new(AtomicBool::new(false));
        let endless = |_| {
            let end = end.clone();
            readers.transaction(Account(1), move |_| {
                while !end.load(Ordering::Relaxed) {
                    yield_now();
                }
                Ok(())
            })
        };
        let long = join_all((0..500).map(endless));
        let short = async {
            let read = readers.transaction(Account(2), |_| Ok(7));
            let read = timeout(Duration::from_secs(10), read).await;
            end.store(true, Ordering::Relaxed);
            read
        };
        let (long, short) = tokio::join!(long, short);
        assert_eq!(short.expect("before the others have ended").unwrap(), 7);
        assert!(long.into_iter().all(|read| read.is_ok()));
    }

    #[tokio::test]
    async fn a_read_ends_when_its_caller_is_gone() {
        let connection = Connection::open_in_memory().unwrap();
        let readers = Arc::new(Readers::new(vec![connection]));
        let (begun, has_begun) = oneshot::channel();
        let (reading, end) = (readers.clone(), Arc::new(AtomicBool::new(false)));
        let ended = end.clone();
        let endless = tokio::spawn(async move {
            let read = move |connection: &SqliteConnection| {
                let connection = connection.lock();
                let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                           SELECT i FROM n";
                let mut statement = connection.prepare(sql)?;
                let mut rows = statement.query([])?;
                rows.next()?;
                begun.send(()).unwrap();
                while !ended.load(Ordering::Relaxed) && rows.next()?.is_some() {}
                Ok(())
            };
            reading.transaction(Account(1), read).await
        });
        has_begun.await.unwrap();
        endless.abort();
        // The only connection is free once the read has ended.
        let next = readers.transaction(Account(1), |_| Ok(7));
        let next = timeout(Duration::from_secs(10), next).await;
        end.store(true, Ordering::Relaxed);
        assert_eq!(next.expect("the read has ended").unwrap(), 7);
    }
}
