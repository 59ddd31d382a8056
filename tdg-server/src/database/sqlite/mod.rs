//! The embedded database: one thread writes, many operations in one transaction, and a few
//! connections read.

mod accounts;
mod assertions;
mod audit;
mod benchmarks;
mod definitions;
mod deletion;
mod ensembles;
mod error;
mod idempotency;
mod keys;
mod lock;
mod projects;
mod readers;
mod records;
mod schema;
mod statement;
mod tombstone;
mod tree;
mod upkeep;
mod writer;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use tdg_service::Result;

use self::error::{SqliteError, SqliteResult};
pub(crate) use self::lock::ServerLock;
pub(super) use self::lock::lock;
use self::readers::Readers;
use self::statement::first;
use self::writer::Writer;
use super::{Account, Database, Opened, PROBE};

/// How long to wait for another process that writes to the same file, such as `tdg-server keys`.
const BUSY: Duration = Duration::from_secs(10);

struct Sqlite {
    file: PathBuf,
    readers: Readers,
    writer: Writer,
}

/// Opens the file, creates it if need be, and brings its tables up to date.
pub(super) fn open(file: &Path, connections: usize) -> Result<Opened> {
    let open = || -> SqliteResult<(bool, Readers, Writer)> {
        create_private(file);
        // Nothing is written to a file that is refused, its journal mode included.
        let mut connection = Connection::open(file)?;
        connection.busy_timeout(BUSY)?;
        let is_new = schema::prepare(&mut connection)?;
        drop(connection);
        let readers = (0..connections.max(1)).map(|_| connect_reader(file));
        let readers = Readers::new(readers.collect::<SqliteResult<_>>()?);
        Ok((is_new, readers, Writer::start(connect(file)?, file)?))
    };
    let (new, readers, writer) = open().map_err(|error| error.into_error(file))?;
    Ok(Opened {
        database: Arc::new(Sqlite {
            file: file.to_owned(),
            readers,
            writer,
        }),
        new,
    })
}

/// Copies the file as it is now into a new one, without keeping those waiting who write meanwhile.
pub(crate) fn copy(file: &Path, copy: &Path) -> Result<()> {
    let open = || -> SqliteResult<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags)?;
        connection.busy_timeout(BUSY)?;
        schema::check(&connection)?;
        Ok(connection)
    };
    let connection = open().map_err(|error| error.into_error(file))?;
    create_private(copy);
    let copied = connection.execute("VACUUM INTO ?1", [copy.to_string_lossy()]);
    copied.map_err(|error| SqliteError::from(error).into_error(copy))?;
    Ok(())
}

/// Creates an empty file that only its owner can read, as are those that SQLite makes beside it.
/// One that is there keeps its mode. If it can't be created, SQLite says why.
fn create_private(file: &Path) {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    drop(options.open(file));
}

fn connect(file: &Path) -> SqliteResult<Connection> {
    let connection = Connection::open(file)?;
    connection.busy_timeout(BUSY)?;
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    // What was acknowledged survives a power failure.
    connection.execute_batch("PRAGMA synchronous = FULL")?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true)?;
    // Otherwise a statement whose plan could depend on its values is planned at each use.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

fn connect_reader(file: &Path) -> SqliteResult<Connection> {
    let connection = connect(file)?;
    connection.execute_batch("PRAGMA query_only = ON")?;
    Ok(connection)
}

impl Sqlite {
    /// A single statement that takes less time than waking another thread.
    async fn query<T>(&self, read: impl FnOnce(&Connection) -> SqliteResult<T>) -> Result<T> {
        let result = self.readers.query(read).await;
        result.map_err(|error| error.into_error(&self.file))
    }

    /// Several statements that see one state of the database, or one that may take long.
    async fn read_transaction<T: Send + 'static>(
        &self,
        account: Account,
        read: impl FnOnce(&Connection) -> SqliteResult<T> + Send + 'static,
    ) -> Result<T> {
        let result = self.readers.transaction(account, read).await;
        result.map_err(|error| error.into_error(&self.file))
    }

    /// Statements that are all done or none. They are on the disk when this returns. `bytes` is
    /// about the length of what is large of the values.
    async fn transaction<T: Send + 'static>(
        &self,
        account: Account,
        bytes: usize,
        write: impl FnOnce(&Connection) -> SqliteResult<T> + Send + 'static,
    ) -> Result<T> {
        let result = self.writer.run(account, bytes, write).await;
        result.map_err(|error| error.into_error(&self.file))
    }
}

#[async_trait]
impl Database for Sqlite {
    async fn ready(&self) -> Result<()> {
        let sql = "SELECT 1 FROM project LIMIT 1";
        self.query(|connection| first(connection, sql, &[], |_| Ok(())).map(drop))
            .await
    }

    async fn probe(&self) -> Result<()> {
        self.transaction(Account::NONE, 0, |connection| {
            Ok(connection.execute(PROBE, []).map(drop)?)
        })
        .await
    }

    async fn size(&self) -> Result<u64> {
        let mut log = self.file.clone().into_os_string();
        log.push("-wal");
        let length = |file: &Path| std::fs::metadata(file).map_or(0, |metadata| metadata.len());
        Ok(length(&self.file) + length(Path::new(&log)))
    }
}
