//! Errors of SQLite.

use std::path::Path;

use rusqlite::{ErrorCode, ffi};
use tdg_service::ServiceError;

use crate::database::error::{DatabaseError, SqliteFailure};

impl DatabaseError {
    /// Converts the error of a database in this file into the service's.
    pub(super) fn of_file(self, file: &Path) -> ServiceError {
        match self {
            DatabaseError::Refused(error) => error,
            DatabaseError::Corrupt { what, source } => ServiceError::unavailable(format!(
                "the database {} is damaged (a {what} can't be read: {source}): stop the server, \
                 keep the file, and restore a backup in its place",
                file.display()
            ))
            .caused_by(source),
            DatabaseError::Sqlite(failure) => failure.into_error(file),
            other => ServiceError::unexpected(format!("{other:?}")),
        }
    }
}

impl SqliteFailure {
    fn into_error(self, file: &Path) -> ServiceError {
        let name = file.display();
        match self {
            SqliteFailure::Newer { found, supported } => ServiceError::unavailable(format!(
                "the database {name} has format {found}, and this tdg-server reads formats up to \
                 {supported}; nothing was changed: run the version that wrote it, or a later one"
            )),
            SqliteFailure::Unreleased => ServiceError::unavailable(format!(
                "the database {name} was written by an unreleased tdg-server, whose format no version \
                 reads; nothing was changed: give the server a new file"
            )),
            SqliteFailure::Store => ServiceError::unavailable(format!(
                "{name} is the local store of test runs, not the database of a server: give the \
                 server a separate file"
            )),
            SqliteFailure::Foreign => ServiceError::unavailable(format!(
                "{name} is not a database of tdg-server: give the server a separate file"
            )),
            SqliteFailure::Empty => ServiceError::unavailable(format!(
                "{name} is empty, without a table of tdg-server: name another file"
            )),
            SqliteFailure::Interrupted => ServiceError::unavailable(format!(
                "{name}-journal is there, so what wrote {name} was interrupted: name another \
                 backup, or start the server once if {name} is its database"
            )),
            SqliteFailure::Engine(error) => of_sqlite(file, &error).caused_by(error),
            SqliteFailure::NotCommitted(error) => of_sqlite(file, &error).caused_by(error),
        }
    }
}

fn of_sqlite(file: &Path, error: &rusqlite::Error) -> ServiceError {
    let message = sqlite(&file.display().to_string(), error);
    if is_unwritable(error) {
        ServiceError::unwritable(message)
    } else {
        ServiceError::unavailable(message)
    }
}

/// Returns true if the file can be read but not written.
fn is_unwritable(error: &rusqlite::Error) -> bool {
    // On a full disk, the system reports either that or an I/O error.
    const OUTPUT_FAILED: [i32; 6] = [
        ffi::SQLITE_IOERR_WRITE,
        ffi::SQLITE_IOERR_FSYNC,
        ffi::SQLITE_IOERR_DIR_FSYNC,
        ffi::SQLITE_IOERR_TRUNCATE,
        ffi::SQLITE_IOERR_SHMSIZE,
        ffi::SQLITE_IOERR_SHMOPEN,
    ];
    error.sqlite_error().is_some_and(|error| match error.code {
        ErrorCode::DiskFull | ErrorCode::ReadOnly => true,
        _ => OUTPUT_FAILED.contains(&error.extended_code),
    })
}

fn sqlite(file: &str, error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => format!(
            "{file} is not an SQLite database, or is damaged ({error}); nothing was changed: give \
             the server the right file, or keep this one and restore a backup in its place"
        ),
        Some(ErrorCode::DatabaseCorrupt) => format!(
            "the database {file} is damaged ({error}): stop the server, keep the file, and restore a \
             backup in its place"
        ),
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::FileLockingProtocolFailed,
        ) => format!("the database {file} is locked by another process; try again"),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            format!(
                "the database {file} can't be written ({error}): make it and its directory writable"
            )
        }
        Some(ErrorCode::DiskFull) => {
            format!(
                "no space left to write the database {file}; nothing was changed: free some space"
            )
        }
        _ => format!("the database {file} failed ({error})"),
    }
}
