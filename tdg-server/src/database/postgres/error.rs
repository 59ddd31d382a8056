//! Errors of PostgreSQL.

use std::error::Error;
use std::fmt::Write;

use deadpool_postgres::PoolError;
use tdg_service::ServiceError;
use tokio_postgres::error::SqlState;

use super::tls;
use crate::database::error::{DatabaseError, PostgresFailure};

/// The fix for a pooler that gives every transaction another session.
pub(super) const POOLER_FIX: &str = "add `pooler=transaction` to the URL of the database, or \
     switch the pooler to session mode";

impl DatabaseError {
    /// Turns a unique violation into a conflict: the object was added concurrently, and the retry
    /// finds it.
    pub(in crate::database) fn overtaken(self) -> Self {
        match self.code() {
            Some(&SqlState::UNIQUE_VIOLATION) => DatabaseError::Conflict,
            _ => self,
        }
    }

    /// Returns true if the whole operation may succeed when it is retried, because none of it was
    /// done.
    pub(super) fn is_retryable(&self) -> bool {
        let retryable = [
            &SqlState::T_R_SERIALIZATION_FAILURE,
            &SqlState::T_R_DEADLOCK_DETECTED,
            // The parent was deleted in the meantime. The retry won't find it.
            &SqlState::FOREIGN_KEY_VIOLATION,
        ];
        match self {
            DatabaseError::Conflict | DatabaseError::Postgres(PostgresFailure::Lost(_)) => true,
            other => other.code().is_some_and(|code| retryable.contains(&code)),
        }
    }

    /// Returns true if the database did nothing, and would answer the same again.
    pub(super) fn is_refusal(&self) -> bool {
        self.code().is_some() && !self.is_retryable()
    }

    /// Returns PostgreSQL's error code, if it has answered.
    fn code(&self) -> Option<&SqlState> {
        match self {
            DatabaseError::Postgres(PostgresFailure::Database(error)) => error.code(),
            _ => None,
        }
    }

    /// Marks the error of a read-only query. After a loss, it can be sent on another connection.
    pub(super) fn of_read(self) -> Self {
        match self {
            DatabaseError::Postgres(PostgresFailure::Database(error)) if is_loss(&error) => {
                PostgresFailure::Lost(error).into()
            }
            other => other,
        }
    }

    /// Converts the error into the service's.
    pub(super) fn into_error(self) -> ServiceError {
        match self {
            DatabaseError::Refused(error) => error,
            DatabaseError::Corrupt { what, source } => {
                ServiceError::unexpected(format!("a {what} can't be read: {source}"))
                    .caused_by(source)
            }
            DatabaseError::Conflict => {
                ServiceError::unavailable("too many conflicting writes; try again")
            }
            DatabaseError::Postgres(failure) => failure.into_error(),
            DatabaseError::Sqlite(failure) => ServiceError::unexpected(format!("{failure:?}")),
        }
    }
}

impl PostgresFailure {
    fn into_error(self) -> ServiceError {
        match self {
            PostgresFailure::Database(error) if is_unwritable(&error) => {
                ServiceError::unwritable(described(&error)).caused_by(error)
            }
            PostgresFailure::Database(error) | PostgresFailure::Lost(error) => unavailable(error),
            PostgresFailure::Silent => {
                ServiceError::unavailable("PostgreSQL does not answer in time")
            }
            PostgresFailure::Pool(error) => unavailable(error),
        }
    }
}

/// Returns true if the connection is gone or its server is shutting down.
fn is_loss(error: &tokio_postgres::Error) -> bool {
    let endings = [
        &SqlState::ADMIN_SHUTDOWN,
        &SqlState::CRASH_SHUTDOWN,
        &SqlState::IDLE_SESSION_TIMEOUT,
    ];
    error.is_closed() || error.code().is_some_and(|code| endings.contains(&code))
}

/// Returns true if the database answers but can't store anything.
fn is_unwritable(error: &tokio_postgres::Error) -> bool {
    let reasons = [
        &SqlState::DISK_FULL,
        &SqlState::IO_ERROR,
        // A standby, or a primary that its provider protects from a full disk.
        &SqlState::READ_ONLY_SQL_TRANSACTION,
    ];
    error.code().is_some_and(|code| reasons.contains(&code))
}

fn unavailable(error: impl Error + Send + Sync + 'static) -> ServiceError {
    ServiceError::unavailable(described(&error)).caused_by(error)
}

/// Formats an error with all of its causes, since the first only says "db error", and with the fix.
fn described(error: &(dyn Error + 'static)) -> String {
    let mut message = "PostgreSQL".to_owned();
    let mut cause = Some(error);
    while let Some(error) = cause {
        let _ = write!(message, ": {error}");
        if let Some(fix) = tls::fix(error) {
            let _ = write!(message, "; {fix}");
        }
        if is_of_another_session(error) {
            let _ = write!(
                message,
                "; if a pooler in transaction mode is in between, {POOLER_FIX}"
            );
        }
        cause = error.source();
    }
    message
}

/// Returns true if a prepared statement is missing, or one exists that this session didn't prepare.
fn is_of_another_session(error: &(dyn Error + 'static)) -> bool {
    let codes = [
        &SqlState::INVALID_SQL_STATEMENT_NAME,
        &SqlState::DUPLICATE_PSTATEMENT,
    ];
    let error = error.downcast_ref::<tokio_postgres::error::DbError>();
    error.is_some_and(|error| codes.contains(&error.code()))
}

impl From<PoolError> for DatabaseError {
    fn from(error: PoolError) -> Self {
        let failure = match error {
            PoolError::Backend(error) => PostgresFailure::Database(error),
            other => PostgresFailure::Pool(other),
        };
        failure.into()
    }
}
