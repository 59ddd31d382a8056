//! A lock on a file, shared between processes.

use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use super::error::StoreProblem;

/// A lock that one process at a time can hold. It ends with the process in any case, so a file that
/// is left behind blocks no one.
///
/// The file is an empty SQLite database: SQLite's locks end with their process, wait with a
/// timeout, and need no other library.
#[derive(Debug)]
pub struct FileLock {
    _database: Connection,
}

impl FileLock {
    /// Waits for the lock on that file, which is created if necessary.
    ///
    /// # Errors
    ///
    /// If another process holds it for longer than `timeout`, or if the file can't be created.
    pub fn wait(file: &Path, timeout: Duration) -> Result<Self, StoreProblem> {
        let database = Connection::open(file)?;
        database.busy_timeout(timeout)?;
        database.execute_batch("BEGIN EXCLUSIVE")?;
        Ok(Self {
            _database: database,
        })
    }
}
