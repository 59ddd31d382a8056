//! Copies of a database. A copy is renamed to its final name once it is complete and on the disk.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use rustix::fs::{FlockOperation, flock};
use tdg_service::{Result, ServiceError};

use super::{connect_existing, create_private};
use crate::database::error::DatabaseError;

/// The suffixes of SQLite's files next to a database.
pub(crate) const COMPANIONS: [&str; 3] = ["-journal", "-wal", "-shm"];

/// The suffix of a copy that is to replace a database.
pub(crate) const RESTORING: &str = ".restoring";

/// A complete copy without its final name. If it is dropped before it is renamed, it is removed.
pub(crate) struct DatabaseCopy {
    path: PathBuf,
    /// Locked, so that copies into a folder take turns.
    folder: File,
}

impl DatabaseCopy {
    /// Copies the database in its current state, without blocking writers. Replaces the remains of
    /// an interrupted copy at the path.
    pub(crate) fn write(database: &Path, path: PathBuf) -> Result<Self> {
        let connection = connect_existing(database).map_err(|error| error.of_file(database))?;
        let parent = path.parent().filter(|it| !it.as_os_str().is_empty());
        let folder = File::open(parent.unwrap_or(Path::new(".")));
        let folder = folder.map_err(|error| unwritable(&path, &error))?;
        // Network file systems may not support locks.
        let _ = flock(&folder, FlockOperation::LockExclusive);
        let copy = DatabaseCopy { path, folder };
        copy.remove();
        create_private(&copy.path);
        let copied = connection.execute("VACUUM INTO ?1", [copy.path.to_string_lossy()]);
        copied.map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt) => DatabaseError::from(error).of_file(database),
            _ => DatabaseError::from(error).of_file(&copy.path),
        })?;
        // SQLite doesn't wait until the copy is on the disk.
        let synced = File::open(&copy.path).and_then(|file| file.sync_all());
        synced.map_err(|error| unwritable(&copy.path, &error))?;
        Ok(copy)
    }

    /// Renames the copy, durably.
    pub(crate) fn rename(self, name: &Path) -> io::Result<()> {
        fs::rename(&self.path, name)?;
        self.folder.sync_all()
    }

    fn remove(&self) {
        let _ = fs::remove_file(&self.path);
        remove_companions(&self.path);
    }
}

impl Drop for DatabaseCopy {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Removes SQLite's files of a removed database, which it would apply to the next one.
pub(crate) fn remove_companions(database: &Path) {
    for end in COMPANIONS {
        let _ = fs::remove_file(sibling(database, end));
    }
}

fn unwritable(path: &Path, error: &io::Error) -> ServiceError {
    ServiceError::unwritable(format!("{} can't be written: {error}", path.display()))
}

/// Returns the file's path with a suffix.
pub(crate) fn sibling(file: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(end);
    PathBuf::from(name)
}
