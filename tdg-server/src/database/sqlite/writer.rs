//! The thread that writes. Waiting for the disk takes longer than everything else, so it takes what has
//! come meanwhile into one transaction: many operations, one wait.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::thread;

use super::error::{DbError, DbResult};
use super::savepoint::savepoint;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use tdg_service::ServiceError;
use tokio::sync::{mpsc, oneshot};

/// How many operations wait in the queue at most, and share one transaction.
const QUEUE: usize = 1024;
const GROUP: usize = 256;

/// The way to the thread that writes.
pub(super) struct Writer {
    queue: mpsc::Sender<Job>,
}

/// An operation; it gives what is to be done once the transaction is on the disk.
type Job = Box<dyn FnOnce(&Connection) -> Acknowledgement + Send>;
type Acknowledgement = Box<dyn FnOnce()>;

impl Writer {
    /// Starts the thread. It ends when the `Writer` is dropped and the queue is empty.
    pub(super) fn start(connection: Connection, file: &Path) -> DbResult<Writer> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let name = "tdg-writer".to_owned();
        let started = thread::Builder::new()
            .name(name)
            .spawn(move || write(&connection, jobs));
        started.map_err(|error| {
            let file = file.display();
            unavailable(&format!(
                "no thread can be started that writes {file}: {error}"
            ))
        })?;
        Ok(Writer { queue })
    }

    /// All of `operation`, on the disk, or nothing of it.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        operation: impl FnOnce(&Connection) -> DbResult<T> + Send + 'static,
    ) -> DbResult<T> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            if answer.is_closed() {
                // Whoever asked has gone away, and may ask again.
                return Box::new(|| ());
            }
            let whole = AssertUnwindSafe(|| savepoint(connection, operation));
            let outcome = catch_unwind(whole);
            if outcome.is_err() {
                let undo = connection.execute_batch("ROLLBACK TO operation; RELEASE operation");
                undo.unwrap_or_else(|error| tracing::error!(%error, "a panic was not undone"));
            }
            // Whoever asked may have gone away.
            Box::new(move || drop(answer.send(outcome)))
        });
        // A job or an acknowledgement that is dropped has done nothing.
        let refused = || unavailable("the database could not be written; try again");
        self.queue.send(job).await.map_err(|_| refused())?;
        match answered.await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_) => Err(refused()),
        }
    }
}

fn write(connection: &Connection, mut jobs: mpsc::Receiver<Job>) {
    while let Some(first) = jobs.blocking_recv() {
        match group(connection, first, &mut jobs) {
            Ok(acknowledgements) => acknowledgements.into_iter().for_each(|tell| tell()),
            Err(error) => tracing::error!(%error, "a transaction failed"),
        }
    }
}

/// One transaction with the first job and those that wait behind it.
fn group(
    connection: &Connection,
    first: Job,
    jobs: &mut mpsc::Receiver<Job>,
) -> rusqlite::Result<Vec<Acknowledgement>> {
    // Rolled back where it is left early.
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    let mut acknowledgements = vec![first(&transaction)];
    while acknowledgements.len() < GROUP
        && let Ok(job) = jobs.try_recv()
    {
        acknowledgements.push(job(&transaction));
    }
    transaction.commit()?;
    Ok(acknowledgements)
}

fn unavailable(message: &str) -> DbError {
    DbError::Refused(ServiceError::Unavailable(message.to_owned()))
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

    fn insert(n: i64) -> impl FnOnce(&Connection) -> DbResult<i64> + Send {
        move |connection| {
            connection.execute("INSERT INTO t VALUES (?1)", [n])?;
            Ok(n)
        }
    }

    fn rows(reader: &Connection) -> i64 {
        reader
            .query_row("SELECT count(*) FROM t", [], |row| row.get(0))
            .unwrap()
    }

    #[tokio::test]
    async fn what_is_acknowledged_is_there_for_everybody() {
        let (_folder, writer, reader) = writer();
        for n in 0..3 {
            assert_eq!(writer.run(insert(n)).await.unwrap(), n);
            assert_eq!(rows(&reader), n + 1);
        }
    }

    #[tokio::test]
    async fn an_operation_that_fails_leaves_nothing_and_its_neighbours_alone() {
        let (_folder, writer, reader) = writer();
        let fails = |connection: &Connection| -> DbResult<()> {
            insert(1)(connection)?;
            Err(unavailable("no"))
        };
        let (failed, _, _) = tokio::join!(
            writer.run(fails),
            writer.run(insert(2)),
            writer.run(insert(3))
        );
        assert!(failed.is_err());
        assert_eq!(rows(&reader), 2);
    }

    #[tokio::test]
    async fn a_panic_leaves_nothing_and_reaches_only_who_asked() {
        let (_folder, writer, reader) = writer();
        let writer = std::sync::Arc::new(writer);
        let other = writer.clone();
        let panics = tokio::spawn(async move {
            let operation = |connection: &Connection| -> DbResult<()> {
                insert(1)(connection)?;
                panic!("in the middle");
            };
            other.run(operation).await
        });
        assert!(panics.await.unwrap_err().is_panic());
        writer.run(insert(2)).await.unwrap();
        assert_eq!(rows(&reader), 1);
    }

    #[tokio::test]
    async fn what_nobody_waits_for_any_more_is_not_done() {
        let (_folder, writer, reader) = writer();
        let (go, wait) = std::sync::mpsc::channel();
        let first = move |connection: &Connection| {
            wait.recv().unwrap();
            insert(1)(connection)
        };
        let mut first = Box::pin(writer.run(first));
        assert!((&mut first).now_or_never().is_none());
        let mut abandoned = Box::pin(writer.run(insert(2)));
        assert!((&mut abandoned).now_or_never().is_none());
        drop(abandoned);
        go.send(()).unwrap();
        first.await.unwrap();
        writer.run(insert(3)).await.unwrap();
        assert_eq!(rows(&reader), 2);
    }

    #[tokio::test]
    async fn a_file_that_stays_locked_is_an_error_and_nothing_is_written() {
        let (_folder, writer, reader) = writer();
        reader.execute_batch("BEGIN IMMEDIATE").unwrap();
        assert!(writer.run(insert(1)).await.is_err());
        reader.execute_batch("COMMIT").unwrap();
        assert_eq!(rows(&reader), 0);
        writer.run(insert(2)).await.unwrap();
    }
}
