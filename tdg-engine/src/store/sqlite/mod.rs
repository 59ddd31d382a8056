//! The local store: an SQLite database with every test's benchmarks, their history, and the changes
//! that wait for a decision.
//!
//! Many short-lived processes use one store at once. So every access waits for the others (up to a
//! minute), everything that writes is one `BEGIN IMMEDIATE` transaction, and a run writes once, at
//! its end ([`Store::commit`]). Killing a process at any moment leaves what was committed before.

mod as_snapshot;
mod benchmark;
mod commit;
mod create;
mod decide;
mod download;
mod filesystem;
mod history;
mod identifier;
mod pending;
mod pinned;
mod rows;
mod schema;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};
pub use uuid::Uuid;

use crate::snapshot::Snapshot;
use crate::test_id::TestId;

use super::{Expected, PendingUpdate, Problem, Run, RunStore, StoreError, error};

pub use self::benchmark::Benchmark;
pub use self::commit::{Committed, HISTORY};
pub use self::history::{Assertion, Decision};
pub use self::pending::PendingChange;

/// How long one process waits for the others. A transaction takes about a millisecond; a machine
/// that is busy with hundreds of test processes may still keep one waiting for long.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How much of the write-ahead log may wait to be moved into the database, in bytes. Whoever opens the
/// database first reads all of it (3 µs for each 4 KiB); moving it costs two waits for the disk.
const LOG: u64 = 64 * 4096;

/// One connection to the database of a directory; threads take turns.
#[derive(Debug)]
pub struct Store {
    file: PathBuf,
    log: PathBuf,
    timeout: Duration,
    connection: Mutex<Connection>,
}

impl Store {
    /// Opens `store.db` in `directory`, usually `.tdg` in the root; makes both if need be, and a
    /// `.gitignore` that keeps the directory out of git.
    ///
    /// # Errors
    ///
    /// When the store can't be used. That is no reason to fail a test whose benchmark is a snapshot
    /// file ([`StoreError::is_unavailable`]).
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let root = tempfile::tempdir()?;
    /// use tdg_engine::store::Store;
    /// let store = Store::open(&root.path().join(".tdg"))?;
    /// assert!(store.file().ends_with("store.db"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn open(directory: &Path) -> Result<Store, StoreError> {
        Store::open_within(directory, TIMEOUT)
    }

    fn open_within(directory: &Path, timeout: Duration) -> Result<Store, StoreError> {
        let file = directory.join("store.db");
        match connect(directory, &file, timeout) {
            Ok(connection) => Ok(Store {
                file,
                log: directory.join("store.db-wal"),
                timeout,
                connection: Mutex::new(connection),
            }),
            Err(problem) => Err(StoreError::new(&file, problem)),
        }
    }

    /// [`open`](Store::open), once in this process: later calls with the same directory get the same
    /// store, or the same error without trying (and waiting) again.
    ///
    /// # Errors
    ///
    /// As [`open`](Store::open).
    pub fn shared(directory: &Path) -> Result<Arc<Store>, Arc<StoreError>> {
        type Shared = Result<Arc<Store>, Arc<StoreError>>;
        // A process has one, or as many as a workspace of several roots.
        static STORES: Mutex<Vec<(PathBuf, Shared)>> = Mutex::new(Vec::new());

        let mut stores = STORES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, store)) = stores.iter().find(|(opened, _)| opened == directory) {
            return store.clone();
        }
        let store = Store::open(directory).map(Arc::new).map_err(Arc::new);
        stores.push((directory.to_owned(), store.clone()));
        store
    }

    /// The database.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// A panic of another thread left no transaction open, so the connection is as good as before.
    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Problem>,
    ) -> Result<T, StoreError> {
        read(&self.connection()).map_err(|problem| StoreError::new(&self.file, problem))
    }

    /// All of `write`, or, if it fails, nothing of it. The transaction has the right to write from
    /// its start: one that asked for it later would fail whenever another process came between.
    fn write<T>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> Result<T, Problem>,
    ) -> Result<T, StoreError> {
        self.transact(write)
            .map_err(|problem: Problem| StoreError::new(&self.file, problem))
    }

    fn transact<T, E: From<Problem>>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut connection = self.connection();
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(Problem::from)?;
        let written = write(&transaction)?;
        transaction.commit().map_err(Problem::from)?;
        self.shorten_log(&connection);
        Ok(written)
    }

    /// Moves the log into the database when it has grown. SQLite's own way does not do for processes
    /// that end without closing: none of them knows what an earlier one has moved, so the log would
    /// grow for good. It is done without waiting, and not at all while somebody reads: the next run
    /// can do it as well.
    fn shorten_log(&self, connection: &Connection) {
        if self.log.metadata().is_ok_and(|log| log.len() > LOG) {
            let _ = connection.busy_timeout(Duration::ZERO);
            let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
            let _ = connection.busy_timeout(self.timeout);
        }
    }
}

/// Has children go with their parents.
fn cascade(connection: &Connection) -> Result<(), Problem> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true)?;
    Ok(())
}

fn connect(directory: &Path, file: &Path, timeout: Duration) -> Result<Connection, Problem> {
    if !file.exists() {
        create::create(directory, file, timeout)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(timeout)?;
    schema::migrate(&mut connection)?;
    cascade(&connection)?;
    // After a power failure the last runs may be missing; the database stays sound.
    // The first process after a pause reads through the log, so that is kept short (in pages).
    connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 64")?;
    Ok(connection)
}

impl From<rusqlite::Error> for Problem {
    fn from(error: rusqlite::Error) -> Problem {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Problem::Corrupt(error.into())
            }
            Some(
                ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::FileLockingProtocolFailed,
            ) => Problem::Locked,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                Problem::NotWritable(error.into())
            }
            Some(ErrorCode::DiskFull) => Problem::Full,
            _ => Problem::Other(error.into()),
        }
    }
}

impl RunStore for Store {
    fn benchmark(&self, test: &TestId) -> Result<Option<Snapshot>, StoreError> {
        let Some(benchmark) = self.benchmark(test)? else {
            return Ok(None);
        };
        let snapshot = benchmark.to_snapshot();
        snapshot
            .map(Some)
            .map_err(|error| StoreError::new(&self.file, Problem::Benchmark(error)))
    }

    fn commit(&self, run: &Run<'_>) -> Result<(), StoreError> {
        self.commit(run).map(drop)
    }

    fn downloaded(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.downloaded(key)
    }

    fn keep_download(&self, key: &str, text: &str) -> Result<(), StoreError> {
        self.keep_download(key, text)
    }
}
