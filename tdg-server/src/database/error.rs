//! Why an operation on the database failed.

use std::error::Error;

use tdg_service::ServiceError;

use super::postgres::PostgresFailure;
use super::sqlite::SqliteFailure;

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
    /// A concurrent transaction interfered; retry.
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
