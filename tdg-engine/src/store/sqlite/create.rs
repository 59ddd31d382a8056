//! Creating the database exactly once, however many processes try at the same time.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use super::error::Problem;
use super::lock::FileLock;
use super::schema;
use crate::store::{directory, filesystem, journal};

/// Creates `file` in `directory`, or waits until another process has.
///
/// It is built under another name and renamed when complete, so that no process opens half a
/// database or sees its journal mode change.
pub(super) fn create(directory: &Path, file: &Path, timeout: Duration) -> Result<(), Problem> {
    directory::create(directory)?;
    let _lock = FileLock::wait(&directory.join("store.lock"), timeout)?;
    if file.try_exists()? {
        return Ok(());
    }
    // If only the database was deleted, its log must not be replayed into the new one.
    remove_with_logs(file)?;
    let unfinished = directory.join("store.db.new");
    remove_with_logs(&unfinished)?;
    build(directory, &unfinished)?;
    // They are about benchmarks that the new database doesn't know.
    journal::close_all(directory)?;
    Ok(fs::rename(&unfinished, file)?)
}

fn build(directory: &Path, unfinished: &Path) -> Result<(), Problem> {
    let mut connection = Connection::open(unfinished)?;
    // Nothing is lost before the rename, so it is synced once, at the end.
    connection.execute_batch("PRAGMA synchronous = OFF")?;
    schema::migrate(&mut connection)?;
    // The write-ahead log needs shared memory, which machines don't have in common.
    if !filesystem::is_network(directory) {
        // Returns the resulting mode; another one is slower, but not wrong.
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    }
    connection.close().map_err(|(_, error)| error)?;
    Ok(fs::File::options()
        .write(true)
        .open(unfinished)?
        .sync_all()?)
}

fn remove_with_logs(database: &Path) -> io::Result<()> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let mut path = database.as_os_str().to_owned();
        path.push(suffix);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
