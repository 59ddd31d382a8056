//! A lock that processes share by its file.

use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use super::error::StoreProblem;

/// A lock that one process at a time has. It ends with the process, however that ends, so a file
/// that is left over blocks nobody.
///
/// The file is an empty SQLite database: SQLite's locks end with their process, wait with a
/// timeout, and need no other library.
#[derive(Debug)]
pub struct FileLock {
    _database: Connection,
}

impl FileLock {
    /// Waits for the lock with that file, which is made if it isn't there.
    ///
    /// # Errors
    ///
    /// If another process keeps it for so long, or if the file can't be made.
    pub fn wait(file: &Path, timeout: Duration) -> Result<Self, StoreProblem> {
        let database = Connection::open(file)?;
        database.busy_timeout(timeout)?;
        database.execute_batch("BEGIN EXCLUSIVE")?;
        Ok(Self {
            _database: database,
        })
    }
}
