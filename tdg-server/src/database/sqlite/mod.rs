//! The embedded database. One thread writes, with many operations per transaction, and a few
//! connections read.

mod copy;
mod error;
mod lock;
mod readers;
mod schema;
mod writer;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use tdg_service::{Result, ServiceError};

pub(crate) use self::copy::{COMPANIONS, DatabaseCopy, RESTORING, remove_companions, sibling};
pub(crate) use self::lock::ServerLock;
pub(super) use self::lock::lock;
use self::readers::Readers;
use self::writer::Writer;
use super::error::{DatabaseResult, SqliteFailure};
use super::pending_operation::{Access, DatabaseWork};
use super::session::{DatabaseFuture, DatabaseSession, SessionWork, SqliteConnection};
use crate::account::Account;

/// The timeout for another process that writes to the same file, such as `tdg-server keys`.
const BUSY: Duration = Duration::from_secs(10);

pub(crate) struct Sqlite {
    file: PathBuf,
    readers: Readers,
    writer: Writer,
}

/// Opens the file, creates it if necessary, and brings its tables up to date.
pub(super) fn open(file: &Path, connections: usize) -> Result<(Sqlite, bool)> {
    if !file.exists() && sibling(file, RESTORING).exists() {
        return Err(ServiceError::unavailable(format!(
            "restoring {} was interrupted: run `restore` again",
            file.display()
        )));
    }
    let open = || -> DatabaseResult<(bool, Readers, Writer)> {
        create_private(file);
        // A file that is refused isn't changed, not even its journal mode.
        let mut connection = Connection::open(file)?;
        connection.busy_timeout(BUSY)?;
        let is_new = schema::prepare(&mut connection)?;
        drop(connection);
        let readers = (0..connections.max(1)).map(|_| connect_reader(file));
        let readers = Readers::new(readers.collect::<DatabaseResult<_>>()?);
        Ok((is_new, readers, Writer::start(connect(file)?, file)?))
    };
    let (new, readers, writer) = open().map_err(|error| error.of_file(file))?;
    let sqlite = Sqlite {
        file: file.to_owned(),
        readers,
        writer,
    };
    Ok((sqlite, new))
}

/// Fails if the file isn't a server's database.
pub(super) fn require(file: &Path) -> Result<()> {
    let connected = connect_existing(file).map_err(|error| error.of_file(file));
    connected.map(drop)
}

/// Returns the faults that SQLite finds in the file.
pub(crate) fn check(file: &Path) -> Result<Vec<String>> {
    let check = || -> DatabaseResult<Vec<String>> {
        let connection = connect_existing(file)?;
        let mut statement = connection.prepare("PRAGMA integrity_check")?;
        let lines = statement.query_map([], |row| row.get(0))?;
        let mut lines: Vec<String> = lines.collect::<rusqlite::Result<_>>()?;
        lines.retain(|line| line != "ok");
        Ok(lines)
    };
    check().map_err(|error| error.of_file(file))
}

/// Connects to a server's existing database.
fn connect_existing(file: &Path) -> DatabaseResult<Connection> {
    if !file.exists() {
        let missing = format!("there is no database {}", file.display());
        return Err(ServiceError::unavailable(missing).into());
    }
    // SQLite would roll back the writes of a process that was killed: all of them for a backup.
    if sibling(file, "-journal").exists() {
        return Err(SqliteFailure::Interrupted.into());
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(BUSY)?;
    schema::check(&connection)?;
    Ok(connection)
}

/// Creates an empty file that only its owner can read; SQLite's files next to it get the same mode.
/// An existing file keeps its mode. If creating fails, SQLite reports the reason.
fn create_private(file: &Path) {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    drop(options.open(file));
}

fn connect(file: &Path) -> DatabaseResult<Connection> {
    let connection = Connection::open(file)?;
    connection.busy_timeout(BUSY)?;
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    // Acknowledged writes survive a power failure.
    connection.execute_batch("PRAGMA synchronous = FULL")?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true)?;
    // Otherwise, a statement whose plan could depend on its values is planned at each use.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

fn connect_reader(file: &Path) -> DatabaseResult<Connection> {
    let connection = connect(file)?;
    connection.execute_batch("PRAGMA query_only = ON")?;
    Ok(connection)
}

impl Sqlite {
    /// Runs a single statement that takes less time than waking another thread. It is fast enough
    /// that the cost of erasing its types would be noticeable.
    pub(super) async fn look_up<A, T>(
        &self,
        account: Account,
        args: &A,
        work: SessionWork<A, T>,
    ) -> Result<T> {
        let look_up = |connection: &SqliteConnection| {
            done(work(DatabaseSession::new(account, connection), args))
        };
        let found = self.readers.query(look_up).await;
        found.map_err(|error| error.of_file(&self.file))
    }

    pub(super) async fn run(
        &self,
        account: Account,
        access: Access,
        work: Arc<dyn DatabaseWork>,
    ) -> Result<()> {
        let run = move |connection: &SqliteConnection| done(work.run(connection.into()));
        let done = match access {
            Access::LookUp | Access::Query | Access::Read => {
                self.readers.transaction(account, run).await
            }
            Access::WriteOne(bytes) | Access::Write(bytes) => {
                self.writer.run(account, bytes, run).await
            }
        };
        done.map_err(|error| error.of_file(&self.file))
    }

    pub(super) fn size(&self) -> u64 {
        let mut log = self.file.clone().into_os_string();
        log.push("-wal");
        let length = |file: &Path| std::fs::metadata(file).map_or(0, |metadata| metadata.len());
        length(&self.file) + length(Path::new(&log))
    }
}

/// Returns the result of a future that is ready at once.
fn done<T>(running: DatabaseFuture<'_, T>) -> DatabaseResult<T> {
    let done = running.now_or_never();
    done.unwrap_or_else(|| Err(ServiceError::unexpected("a statement of SQLite waits").into()))
}
