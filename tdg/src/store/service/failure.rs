//! Why an operation was not done.

use std::path::Path;

use crate::{
    service::ServiceError,
    store::{Problem, StoreError},
};

/// What an operation comes to.
pub type Outcome<T> = Result<T, Failure>;

/// Why an operation was not done.
#[derive(Debug)]
pub enum Failure {
    /// The service refuses what was asked for.
    Refused(ServiceError),
    /// The database failed.
    Store(Problem),
}

impl Failure {
    /// What the service answers, if the database is that file.
    pub fn of(self, file: &Path) -> ServiceError {
        match self {
            Failure::Refused(error) => error,
            Failure::Store(problem) => {
                ServiceError::Unavailable(StoreError::new(file, problem).to_string())
            }
        }
    }
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        Failure::Refused(error)
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Failure::Store(problem)
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Failure::Store(error.into())
    }
}
