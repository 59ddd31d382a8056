//! What can go wrong with PostgreSQL.

use std::error::Error;
use std::fmt::Write;

use deadpool_postgres::PoolError;
use tdg_service::ServiceError;
use tokio_postgres::error::SqlState;

use super::tls;

pub(super) type Outcome<T> = Result<T, Failure>;

/// Why something was not done.
#[derive(Debug)]
pub(super) enum Failure {
    /// The service refuses what was asked for.
    Refused(ServiceError),
    /// The database failed.
    Database(tokio_postgres::Error),
    /// A connection was lost before it gave what was only looked up.
    Lost(tokio_postgres::Error),
    /// A connection gave nothing for too long.
    Silent,
    /// No connection could be had.
    Pool(PoolError),
    /// Somebody else came between.
    Again,
}

impl Failure {
    /// Whether it may succeed if all of it is done once more, since nothing of it was.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Failure::Again | Failure::Lost(_) => true,
            Failure::Database(error) => {
                let passing = [
                    &SqlState::T_R_SERIALIZATION_FAILURE,
                    &SqlState::T_R_DEADLOCK_DETECTED,
                    // The parent went meanwhile, and isn't found any more.
                    &SqlState::FOREIGN_KEY_VIOLATION,
                ];
                error.code().is_some_and(|code| passing.contains(&code))
            }
            Failure::Refused(_) | Failure::Silent | Failure::Pool(_) => false,
        }
    }

    /// Whether the database has answered that it did nothing, and would answer the same again.
    pub(super) fn is_refusal(&self) -> bool {
        let answered = matches!(self, Failure::Database(error) if error.code().is_some());
        answered && !self.is_passing()
    }

    /// The same of something that was only looked up: it can be asked again on another connection.
    pub(super) fn of_look_up(self) -> Self {
        match self {
            Failure::Database(error) if is_loss(&error) => Failure::Lost(error),
            other => other,
        }
    }

    /// What the service answers.
    pub(super) fn into_error(self) -> ServiceError {
        match self {
            Failure::Refused(error) => error,
            Failure::Database(error) | Failure::Lost(error) => unavailable(&error),
            Failure::Silent => {
                ServiceError::Unavailable("PostgreSQL does not answer in time".to_owned())
            }
            Failure::Pool(error) => unavailable(&error),
            Failure::Again => {
                ServiceError::Unavailable("too many others write the same".to_owned())
            }
        }
    }
}

/// Whether the connection is gone, or its server is ending.
fn is_loss(error: &tokio_postgres::Error) -> bool {
    let endings = [
        &SqlState::ADMIN_SHUTDOWN,
        &SqlState::CRASH_SHUTDOWN,
        &SqlState::IDLE_SESSION_TIMEOUT,
    ];
    error.is_closed() || error.code().is_some_and(|code| endings.contains(&code))
}

/// The whole chain of causes, the first alone says as much as "db error"; and how to mend it.
fn unavailable(error: &(dyn Error + 'static)) -> ServiceError {
    let mut message = "PostgreSQL".to_owned();
    let mut cause = Some(error);
    while let Some(error) = cause {
        let _ = write!(message, ": {error}");
        if let Some(fix) = tls::fix(error) {
            let _ = write!(message, "; {fix}");
        }
        cause = error.source();
    }
    ServiceError::Unavailable(message)
}

impl From<tokio_postgres::Error> for Failure {
    fn from(error: tokio_postgres::Error) -> Self {
        Failure::Database(error)
    }
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        Failure::Refused(error)
    }
}

impl From<PoolError> for Failure {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) => Failure::Database(error),
            other => Failure::Pool(other),
        }
    }
}
