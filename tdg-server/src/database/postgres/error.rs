//! Why an operation on the database failed.

use std::error::Error;
use std::fmt::Write;

use deadpool_postgres::PoolError;
use tdg_service::ServiceError;
use tokio_postgres::error::SqlState;

use super::tls;

pub(super) type PostgresResult<T> = Result<T, PostgresError>;

/// What to do about a pooler that gives every transaction another session.
pub(super) const POOLER_FIX: &str = "add `pooler=transaction` to the URL of the database, or \
     switch the pooler to session mode";

#[derive(Debug)]
pub(super) enum PostgresError {
    /// The service refuses the request.
    Refused(ServiceError),
    /// A stored value can't be read.
    Corrupt {
        what: &'static str,
        source: Box<dyn Error + Send + Sync>,
    },
    /// The database failed.
    Database(tokio_postgres::Error),
    /// The connection was lost before it answered a query that only reads.
    Lost(tokio_postgres::Error),
    /// The connection did not answer for too long.
    Silent,
    /// The pool had no connection.
    Pool(PoolError),
    /// A concurrent transaction interfered; retry.
    Conflict,
}

impl PostgresError {
    pub(super) fn corrupt(
        what: &'static str,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        let source = source.into();
        PostgresError::Corrupt { what, source }
    }

    /// The error of adding what wasn't there: if somebody has added it meanwhile, it is there next
    /// time.
    pub(super) fn overtaken(self) -> Self {
        match self {
            PostgresError::Database(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => {
                PostgresError::Conflict
            }
            other => other,
        }
    }

    /// Whether the operation may succeed when it is done again as a whole, since nothing of it was
    /// done.
    pub(super) fn is_retryable(&self) -> bool {
        match self {
            PostgresError::Conflict | PostgresError::Lost(_) => true,
            PostgresError::Database(error) => {
                let retryable = [
                    &SqlState::T_R_SERIALIZATION_FAILURE,
                    &SqlState::T_R_DEADLOCK_DETECTED,
                    // The parent was deleted meanwhile; it won't be found next time.
                    &SqlState::FOREIGN_KEY_VIOLATION,
                ];
                error.code().is_some_and(|code| retryable.contains(&code))
            }
            PostgresError::Refused(_)
            | PostgresError::Corrupt { .. }
            | PostgresError::Silent
            | PostgresError::Pool(_) => false,
        }
    }

    /// Whether the database has answered that it did nothing, and would answer the same again.
    pub(super) fn is_refusal(&self) -> bool {
        let answered = matches!(self, PostgresError::Database(error) if error.code().is_some());
        answered && !self.is_retryable()
    }

    /// The error of a query that only reads: after a loss it can be sent on another connection.
    pub(super) fn of_read(self) -> Self {
        match self {
            PostgresError::Database(error) if is_loss(&error) => PostgresError::Lost(error),
            other => other,
        }
    }

    /// The service's error.
    pub(super) fn into_error(self) -> ServiceError {
        match self {
            PostgresError::Refused(error) => error,
            PostgresError::Corrupt { what, source } => {
                ServiceError::unexpected(format!("a {what} can't be read: {source}"))
                    .caused_by(source)
            }
            PostgresError::Database(error) if is_unwritable(&error) => {
                ServiceError::unwritable(described(&error)).caused_by(error)
            }
            PostgresError::Database(error) | PostgresError::Lost(error) => unavailable(error),
            PostgresError::Silent => {
                ServiceError::unavailable("PostgreSQL does not answer in time")
            }
            PostgresError::Pool(error) => unavailable(error),
            PostgresError::Conflict => {
                ServiceError::unavailable("too many conflicting writes; try again")
            }
        }
    }
}

/// Whether the connection is gone, or its server is shutting down.
fn is_loss(error: &tokio_postgres::Error) -> bool {
    let endings = [
        &SqlState::ADMIN_SHUTDOWN,
        &SqlState::CRASH_SHUTDOWN,
        &SqlState::IDLE_SESSION_TIMEOUT,
    ];
    error.is_closed() || error.code().is_some_and(|code| endings.contains(&code))
}

/// Whether the database answers, and stores nothing.
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

/// With the whole chain of causes, since the first says as little as "db error", and with the fix.
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

/// Whether a prepared statement is missing that was prepared, or is there before.
fn is_of_another_session(error: &(dyn Error + 'static)) -> bool {
    let codes = [
        &SqlState::INVALID_SQL_STATEMENT_NAME,
        &SqlState::DUPLICATE_PSTATEMENT,
    ];
    let error = error.downcast_ref::<tokio_postgres::error::DbError>();
    error.is_some_and(|error| codes.contains(&error.code()))
}

impl From<tokio_postgres::Error> for PostgresError {
    fn from(error: tokio_postgres::Error) -> Self {
        PostgresError::Database(error)
    }
}

impl From<ServiceError> for PostgresError {
    fn from(error: ServiceError) -> Self {
        PostgresError::Refused(error)
    }
}

impl From<PoolError> for PostgresError {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) => PostgresError::Database(error),
            other => PostgresError::Pool(other),
        }
    }
}
