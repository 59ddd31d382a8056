//! The local store: an SQLite database with the benchmarks of all tests, their history, and pending
//! changes.
//!
//! Many short-lived processes share one store. So every access waits for the others (up to a
//! minute), every write is one `BEGIN IMMEDIATE` transaction, and a run writes once, at its end
//! ([`Store::commit`]). A process can be killed at any moment without losing earlier commits.

mod add_run;
#[cfg(feature = "records")]
mod archive;
mod as_snapshot;
mod benchmark;
mod commit;
mod create;
mod decide;
mod decision;
mod download;
mod history;
mod journal_import;
mod lock;
mod pending;
mod pinned_outputs;
#[cfg(feature = "records")]
pub mod records;
mod rename;
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

use super::journal::TakenJournal;
use super::{
    Channel, Decision, DecisionKind, Expected, Moment, PendingUpdate, Run, RunFacts, STORE,
    StoreError, StoreProblem, directory, error, identifier,
};

#[cfg(feature = "records")]
pub use self::archive::RemovedOutputs;
pub use self::benchmark::StoredBenchmark;
pub use self::commit::Committed;
pub use self::decision::StoredDecision;
pub use self::history::{HISTORY, HistoryEntry};
pub use self::lock::FileLock;
pub use self::pending::{PendingDetails, PendingTest, beside};

/// How long a process waits for the others. A transaction takes about a millisecond, but on a
/// machine with hundreds of test processes the wait can be long.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The size of the write-ahead log in bytes at which it is moved into the database. The first
/// process to open the database reads all of it (3 µs for each 4 KiB); moving it costs two disk
/// syncs.
const LOG: u64 = 64 * 4096;

/// A connection to the database of a directory; threads take turns.
#[derive(Debug)]
pub struct Store {
    directory: PathBuf,
    file: PathBuf,
    log: PathBuf,
    timeout: Duration,
    unreadable: usize,
    connection: Mutex<Connection>,
}

impl Store {
    /// Opens `store.db` in `directory`, usually `.tdg` in the root. Creates both if necessary, with
    /// a `.gitignore` to keep the directory out of git, and takes in all journals.
    ///
    /// # Errors
    ///
    /// If the store can't be used. A test with a snapshot file need not fail because of that
    /// ([`StoreError::is_unavailable`]).
    /// that ([`StoreError::is_unavailable`]).
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
        let mut store = Store::open_within(directory, TIMEOUT)?;
        store.unreadable = store.take_in_all()?;
        // Errors are ignored; the next command can do it.
        #[cfg(feature = "records")]
        let _ = store.archive();
        Ok(store)
    }

    /// Like [`open`](Store::open), but doesn't create a store before the first run.
    ///
    /// # Errors
    ///
    /// Same as [`open`](Store::open).
    pub fn open_existing(directory: &Path) -> Result<Option<Store>, StoreError> {
        let file = directory.join(STORE);
        let failed = |error| StoreError::new(&file, error);
        let is_made = directory::is_made(directory);
        if !is_made.map_err(|problem| StoreError::new(&file, problem))? {
            return Ok(None);
        }
        let exists = file.is_file() || !TakenJournal::names(directory).map_err(failed)?.is_empty();
        exists.then(|| Store::open(directory)).transpose()
    }

    pub(super) fn open_within(directory: &Path, timeout: Duration) -> Result<Store, StoreError> {
        let file = directory.join(STORE);
        match connect(directory, &file, timeout) {
            Ok(connection) => Ok(Store {
                directory: directory.to_owned(),
                file,
                log: directory.join("store.db-wal"),
                timeout,
                unreadable: 0,
                connection: Mutex::new(connection),
            }),
            Err(problem) => Err(StoreError::new(&file, problem)),
        }
    }

    /// Opens the store for runs, once per process: later calls with the same directory return the
    /// same store, or the same error without another attempt. It doesn't take in journals.
    ///
    /// # Errors
    ///
    /// Same as [`open`](Store::open).
    pub fn shared(directory: &Path) -> Result<Arc<Store>, Arc<StoreError>> {
        type Shared = Result<Arc<Store>, Arc<StoreError>>;
        // A process has one store, or one for each root of a workspace.
        static STORES: Mutex<Vec<(PathBuf, Shared)>> = Mutex::new(Vec::new());

        let mut stores = STORES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, store)) = stores.iter().find(|(opened, _)| opened == directory) {
            return store.clone();
        }
        let store = Store::open_within(directory, TIMEOUT);
        let store = store.map(Arc::new).map_err(Arc::new);
        stores.push((directory.to_owned(), store.clone()));
        store
    }

    /// Returns the path of the database.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Returns the number of journals that could not be read when the database was opened. They
    /// were set aside in `runs`.
    pub fn unreadable(&self) -> usize {
        self.unreadable
    }

    /// A panic in another thread rolled its transaction back, so the connection is usable.
    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreProblem>,
    ) -> Result<T, StoreError> {
        read(&self.connection()).map_err(|problem| StoreError::new(&self.file, problem))
    }

    /// Runs `write` in a transaction that is committed as a whole. It takes the write lock at its
    /// start: upgrading later would fail if another process wrote in between.
    fn write<T>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> Result<T, StoreProblem>,
    ) -> Result<T, StoreError> {
        self.transact(write)
            .map_err(|problem: StoreProblem| StoreError::new(&self.file, problem))
    }

    fn transact<T, E: From<StoreProblem>>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut connection = self.connection();
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(StoreProblem::from)?;
        let written = write(&transaction)?;
        transaction.commit().map_err(StoreProblem::from)?;
        self.shorten_log(&connection);
        Ok(written)
    }

    /// Moves a grown log into the database. SQLite's own checkpoints don't work for processes that
    /// exit without closing: they don't see what earlier ones have moved, so the log would grow
    /// forever. It never waits: while another process reads, the next run can do it.
    fn shorten_log(&self, connection: &Connection) {
        if self.log.metadata().is_ok_and(|log| log.len() > LOG) {
            let _ = connection.busy_timeout(Duration::ZERO);
            let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
            let _ = connection.busy_timeout(self.timeout);
        }
    }
}

/// Enables foreign keys, so that deletes cascade.
fn cascade(connection: &Connection) -> Result<(), StoreProblem> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true)?;
    Ok(())
}

fn connect(directory: &Path, file: &Path, timeout: Duration) -> Result<Connection, StoreProblem> {
    directory::make(directory)?;
    if !file.exists() {
        create::create(directory, file, timeout)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(timeout)?;
    // Closing moves the log into the database, but a damaged database must stay untouched.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    schema::check(&connection)?;
    schema::migrate(&mut connection)?;
    cascade(&connection)?;
    // After a power failure the last runs may be missing, but the database is intact. The first
    // process after a pause reads the log, so it is kept short (in pages).
    connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 64")?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    Ok(connection)
}

impl From<rusqlite::Error> for StoreProblem {
    fn from(error: rusqlite::Error) -> StoreProblem {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                StoreProblem::Corrupt(error.into())
            }
            Some(
                ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::FileLockingProtocolFailed,
            ) => StoreProblem::Locked,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                StoreProblem::NotWritable(error.into())
            }
            Some(ErrorCode::DiskFull) => StoreProblem::Full,
            _ => StoreProblem::Other(error.into()),
        }
    }
}
