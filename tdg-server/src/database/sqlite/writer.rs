//! The thread that writes. Most of a write's time is spent waiting for the disk, so operations that
//! arrive in the meantime share the next transaction. A large operation gets a separate one.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tdg_service::ServiceError;
use tokio::sync::{mpsc, oneshot};

use super::SqliteConnection;
use crate::account::Account;
use crate::database::error::{DatabaseError, DatabaseResult, SqliteFailure};
use crate::database::large_writes::LargeWrites;
use crate::fair_queue::FairQueue;
use crate::metrics::{self, Waiting};

/// The maximum number of operations in the thread's queue, in total and per account. Others wait
/// for their turns.
const QUEUE: usize = 256;
const QUEUE_BY_ACCOUNT: usize = 64;

/// Sends operations to the thread that writes.
pub(super) struct Writer {
    queue: mpsc::Sender<WriteJob>,
    turns: FairQueue,
    large: LargeWrites,
}

struct WriteJob {
    operation: WriteOperation,
    is_large: bool,
}

/// An operation returns the reply to send once the transaction is on the disk or has failed.
type WriteOperation = Box<dyn FnOnce(&SqliteConnection) -> Reply + Send>;
type Reply = Box<dyn FnOnce(Option<&Arc<rusqlite::Error>>)>;

impl Writer {
    /// Starts the thread. It ends when the `Writer` is dropped and the queue is empty.
    pub(super) fn start(connection: Connection, file: &Path) -> DatabaseResult<Writer> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let thread = thread::Builder::new().name("tdg-writer".to_owned());
        let connection = SqliteConnection::new(connection);
        let started = thread.spawn(move || write(&connection, jobs));
        started.map_err(|error| {
            let file = file.display();
            let message = format!("the thread that writes {file} can't be started: {error}");
            DatabaseError::Refused(ServiceError::unavailable(message).caused_by(error))
        })?;
        Ok(Writer {
            queue,
            turns: FairQueue::new(QUEUE, QUEUE_BY_ACCOUNT),
            large: LargeWrites::new(),
        })
    }

    /// Runs `operation`, which writes about this many bytes, all or nothing, and syncs the disk.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        account: Account,
        bytes: usize,
        operation: impl FnOnce(&SqliteConnection) -> DatabaseResult<T> + Send + 'static,
    ) -> DatabaseResult<T> {
        let waiting = metrics::WRITER.enter();
        let large = self.large.begin(account, bytes).await?;
        let _turn = self.turns.take(account).await?;
        self.send(waiting, large.is_some(), operation).await
    }

    async fn send<T: Send + 'static>(
        &self,
        waiting: Waiting,
        is_large: bool,
        operation: impl FnOnce(&SqliteConnection) -> DatabaseResult<T> + Send + 'static,
    ) -> DatabaseResult<T> {
        let (sender, receiver) = oneshot::channel();
        let operation: WriteOperation = Box::new(move |connection| {
            drop(waiting);
            if sender.is_closed() {
                // The caller is gone, and may retry.
                return Box::new(|_| ());
            }
            let whole = AssertUnwindSafe(|| savepoint(connection, operation));
            let result = catch_unwind(whole);
            if result.is_err() {
                let undo = "ROLLBACK TO operation; RELEASE operation";
                let undo = connection.lock().execute_batch(undo);
                undo.unwrap_or_else(|error| tracing::error!(%error, "a panic was not undone"));
            }
            Box::new(move |failure| {
                let result = match failure {
                    Some(error) => Ok(Err(SqliteFailure::NotCommitted(error.clone()).into())),
                    None => result,
                };
                // The caller may be gone.
                drop(sender.send(result));
            })
        });
        // A dropped job or reply has changed nothing.
        let failed = || ServiceError::unavailable("the database could not be written; try again");
        let job = WriteJob {
            operation,
            is_large,
        };
        self.queue.send(job).await.map_err(|_| failed())?;
        match receiver.await {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_) => Err(failed().into()),
        }
    }
}

fn write(connection: &SqliteConnection, mut jobs: mpsc::Receiver<WriteJob>) {
    let mut next = None;
    while let Some(first) = next.take().or_else(|| jobs.blocking_recv()) {
        match write_group(connection, first, &mut jobs) {
            Ok((group, committed)) => {
                let failure = committed.err().map(Arc::new);
                let answers = group.answers.into_iter();
                answers.for_each(|answer| answer(failure.as_ref()));
                next = group.next;
            }
            Err(error) => tracing::error!(%error, "a transaction can't be begun"),
        }
    }
}

/// The replies to operations that shared a transaction, and a large job that is next.
struct WriteGroup {
    answers: Vec<Reply>,
    next: Option<WriteJob>,
}

/// Runs the first job and those queued behind it in one transaction, and returns its result.
fn write_group(
    connection: &SqliteConnection,
    first: WriteJob,
    jobs: &mut mpsc::Receiver<WriteJob>,
) -> rusqlite::Result<(WriteGroup, rusqlite::Result<()>)> {
    // Rolled back if this returns early.
    let locked = connection.lock();
    let transaction = Transaction::new_unchecked(&locked, TransactionBehavior::Immediate)?;
    let mut group = WriteGroup {
        answers: vec![(first.operation)(connection)],
        next: None,
    };
    while !first.is_large
        && group.next.is_none()
        && group.answers.len() < QUEUE
        && let Ok(job) = jobs.try_recv()
    {
        match job.is_large {
            true => group.next = Some(job),
            false => group.answers.push((job.operation)(connection)),
        }
    }
    Ok((group, transaction.commit()))
}

/// Runs `operation` within a transaction. If it fails, only the operation is rolled back.
fn savepoint<T>(
    connection: &SqliteConnection,
    operation: impl FnOnce(&SqliteConnection) -> DatabaseResult<T>,
) -> DatabaseResult<T> {
    let run = |sql| connection.lock().prepare_cached(sql)?.execute([]);
    run("SAVEPOINT operation")?;
    let result = operation(connection);
    if result.is_err() {
        run("ROLLBACK TO operation")?;
    }
    run("RELEASE operation")?;
    result
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn writer() -> (tempfile::TempDir, Writer, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.db");
        let connection = Connection::open(&file).unwrap();
        connection
            .execute_batch("CREATE TABLE t (n INTEGER)")
            .unwrap();
        let reader = Connection::open(&file).unwrap();
        (folder, Writer::start(connection, &file).unwrap(), reader)
    }

    const ONE: Account = Account(1);

    fn insert(n: i64) -> impl FnOnce(&SqliteConnection) -> DatabaseResult<i64> + Send {
        move |connection| {
            let sql = "INSERT INTO t VALUES (?1)";
            connection.lock().execute(sql, [n])?;
            Ok(n)
        }
    }

    fn failing(n: i64) -> impl FnOnce(&SqliteConnection) -> DatabaseResult<i64> + Send {
        move |connection| {
            insert(n)(connection)?;
            Err(ServiceError::unavailable("after all").into())
        }
    }

    fn rows(reader: &Connection) -> i64 {
        reader
            .query_row("SELECT count(*) FROM t", [], |row| row.get(0))
            .unwrap()
    }

    #[tokio::test]
    async fn an_acknowledged_write_is_visible_to_other_connections() {
        let (_folder, writer, reader) = writer();
        for n in 0..3 {
            assert_eq!(writer.run(ONE, 0, insert(n)).await.unwrap(), n);
            assert_eq!(rows(&reader), n + 1);
        }
    }

    #[test]
    fn an_operation_that_fails_leaves_the_others_of_its_transaction() {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch("CREATE TABLE t (n INTEGER)")
            .unwrap();
        let connection = SqliteConnection::new(connection);
        let locked = connection.lock();
        let transaction = locked.unchecked_transaction().unwrap();
        savepoint(&connection, insert(1)).unwrap();
        assert!(savepoint(&connection, failing(2)).is_err());
        savepoint(&connection, insert(3)).unwrap();
        transaction.commit().unwrap();
        let sql = "SELECT group_concat(n) FROM t";
        let written: String = locked.query_row(sql, [], |row| row.get(0)).unwrap();
        assert_eq!(written, "1,3");
    }

    #[tokio::test]
    async fn an_operation_that_fails_leaves_nothing_and_its_neighbours_alone() {
        let (_folder, writer, reader) = writer();
        let (failed, _, _) = tokio::join!(
            writer.run(ONE, 0, failing(1)),
            writer.run(ONE, 0, insert(2)),
            writer.run(ONE, 0, insert(3))
        );
        assert!(failed.is_err());
        assert_eq!(rows(&reader), 2);
    }

    #[tokio::test]
    async fn a_panic_leaves_nothing_and_reaches_only_its_caller() {
        let (_folder, writer, reader) = writer();
        let writer = std::sync::Arc::new(writer);
        let other = writer.clone();
        let panics = tokio::spawn(async move {
            let operation = |connection: &SqliteConnection| -> DatabaseResult<()> {
                insert(1)(connection)?;
                panic!("in the middle");
            };
            other.run(ONE, 0, operation).await
        });
        assert!(panics.await.unwrap_err().is_panic());
        writer.run(ONE, 0, insert(2)).await.unwrap();
        assert_eq!(rows(&reader), 1);
    }

    /// Returns the order of the jobs, grouped by transaction.
    fn groups(jobs: &[(char, bool)]) -> String {
        let connection = SqliteConnection::new(Connection::open_in_memory().unwrap());
        let (queue, mut waiting) = mpsc::channel(jobs.len());
        let (tell, told) = std::sync::mpsc::channel();
        for &(name, is_large) in jobs {
            let tell = tell.clone();
            let operation: WriteOperation = Box::new(move |_| {
                tell.send(name).unwrap();
                Box::new(|_| ())
            });
            let job = WriteJob {
                operation,
                is_large,
            };
            assert!(queue.try_send(job).is_ok());
        }
        let (mut groups, mut next) = (Vec::new(), None);
        while let Some(first) = next.take().or_else(|| waiting.try_recv().ok()) {
            let (group, committed) = write_group(&connection, first, &mut waiting).unwrap();
            committed.unwrap();
            groups.push(told.try_iter().collect::<String>());
            next = group.next;
        }
        groups.join(" ")
    }

    #[test]
    fn a_large_operation_has_its_own_transaction() {
        let [a, b, c] = ['a', 'b', 'c'].map(|name| (name, false));
        assert_eq!(groups(&[a, b, c]), "abc");
        assert_eq!(groups(&[a, ('L', true), b, c]), "a L bc");
        assert_eq!(groups(&[('L', true), ('M', true), a]), "L M a");
    }

    #[tokio::test]
    async fn an_operation_whose_caller_has_gone_away_is_not_done() {
        let (_folder, writer, reader) = writer();
        let (go, wait) = std::sync::mpsc::channel();
        let first = move |connection: &SqliteConnection| {
            wait.recv().unwrap();
            insert(1)(connection)
        };
        let mut first = Box::pin(writer.run(ONE, 0, first));
        assert!((&mut first).now_or_never().is_none());
        let mut abandoned = Box::pin(writer.run(ONE, 0, insert(2)));
        assert!((&mut abandoned).now_or_never().is_none());
        drop(abandoned);
        go.send(()).unwrap();
        first.await.unwrap();
        writer.run(ONE, 0, insert(3)).await.unwrap();
        assert_eq!(rows(&reader), 2);
    }

    #[tokio::test]
    async fn a_file_that_stays_locked_is_an_error_and_nothing_is_written() {
        let (_folder, writer, reader) = writer();
        reader.execute_batch("BEGIN IMMEDIATE").unwrap();
        assert!(writer.run(ONE, 0, insert(1)).await.is_err());
        reader.execute_batch("COMMIT").unwrap();
        assert_eq!(rows(&reader), 0);
        writer.run(ONE, 0, insert(2)).await.unwrap();
    }
}
