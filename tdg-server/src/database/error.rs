//! Errors of database operations.

use std::error::Error;
use std::sync::Arc;

use deadpool_postgres::PoolError;
use tdg_service::ServiceError;

pub(super) type DatabaseResult<T> = Result<T, DatabaseError>;

#[derive(Debug)]
pub(super) enum DatabaseError {
    /// The service refuses the request.
    Refused(ServiceError),
    /// A stored value can't be read.
    Corrupt {
        what: &'static str,
        source: Box<dyn Error + Send + Sync>,
    },
    /// A concurrent transaction interfered. Retry.
    Conflict,
    Sqlite(SqliteFailure),
    Postgres(PostgresFailure),
}

impl DatabaseError {
    pub(super) fn corrupt(
        what: &'static str,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        let source = source.into();
        DatabaseError::Corrupt { what, source }
    }
}

impl From<ServiceError> for DatabaseError {
    fn from(error: ServiceError) -> Self {
        DatabaseError::Refused(error)
    }
}

impl From<SqliteFailure> for DatabaseError {
    fn from(failure: SqliteFailure) -> Self {
        DatabaseError::Sqlite(failure)
    }
}

impl From<rusqlite::Error> for DatabaseError {
    fn from(error: rusqlite::Error) -> Self {
        DatabaseError::Sqlite(SqliteFailure::Engine(error))
    }
}

impl From<PostgresFailure> for DatabaseError {
    fn from(failure: PostgresFailure) -> Self {
        DatabaseError::Postgres(failure)
    }
}

impl From<tokio_postgres::Error> for DatabaseError {
    fn from(error: tokio_postgres::Error) -> Self {
        DatabaseError::Postgres(PostgresFailure::Database(error))
    }
}

#[derive(Debug)]
pub(super) enum SqliteFailure {
    /// The file was written by a later version.
    Newer {
        found: i64,
        supported: i64,
    },
    /// The file was written by a build before the first release.
    Unreleased,
    /// The file is the local store of test runs.
    Store,
    /// The file is a database, but not a server's.
    Foreign,
    /// The file has no tables yet.
    Empty,
    /// A write of the file was interrupted.
    Interrupted,
    Engine(rusqlite::Error),
    /// The transaction that the operation shared with others wasn't stored.
    NotCommitted(Arc<rusqlite::Error>),
}

#[derive(Debug)]
pub(super) enum PostgresFailure {
    /// The database failed.
    Database(tokio_postgres::Error),
    /// The connection was lost before a read-only query was answered.
    Lost(tokio_postgres::Error),
    /// The connection didn't answer in time.
    Silent,
    /// The pool had no connection.
    Pool(PoolError),
}
