//! Why an operation was not done.

use std::path::Path;

use rusqlite::ErrorCode;
use tdg_service::ServiceError;

/// What an operation comes to.
pub(super) type DbResult<T> = Result<T, DbError>;

/// Why an operation was not done.
#[derive(Debug)]
pub(super) enum DbError {
    /// The service refuses the request.
    Refused(ServiceError),
    /// The database failed.
    Database(Problem),
}

/// What is wrong with the database.
#[derive(Debug)]
pub(super) enum Problem {
    /// A later version has written the file.
    Newer { found: i64, supported: i64 },
    /// The file is not a database, or a damaged one, or holds what can't be read.
    Corrupt(String),
    /// Whatever SQLite reports.
    Sqlite(rusqlite::Error),
}

impl DbError {
    /// What the service answers, if the database is that file.
    pub(super) fn of(self, file: &Path) -> ServiceError {
        let problem = match self {
            DbError::Refused(error) => return error,
            DbError::Database(problem) => problem,
        };
        let file = file.display();
        ServiceError::Unavailable(match problem {
            Problem::Newer { found, supported } => format!(
                "the database {file} has format {found}, and this server reads formats up to \
                 {supported}: run the version that wrote it, or a later one"
            ),
            Problem::Corrupt(detail) => {
                format!("the database {file} is damaged ({detail}): restore it from a backup")
            }
            Problem::Sqlite(error) => sqlite(&file.to_string(), &error),
        })
    }
}

fn sqlite(file: &str, error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            format!("the database {file} is damaged ({error}): restore it from a backup")
        }
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

impl From<ServiceError> for DbError {
    fn from(error: ServiceError) -> Self {
        DbError::Refused(error)
    }
}

impl From<Problem> for DbError {
    fn from(problem: Problem) -> Self {
        DbError::Database(problem)
    }
}

impl From<rusqlite::Error> for DbError {
    fn from(error: rusqlite::Error) -> Self {
        DbError::Database(error.into())
    }
}

impl From<rusqlite::Error> for Problem {
    fn from(error: rusqlite::Error) -> Self {
        Problem::Sqlite(error)
    }
}
