//! Converts errors of the store to errors of the service.

use tdg_engine::store::{StoreError, StoreProblem};

use crate::ServiceError;

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        let text = error.to_string();
        let place = match error.problem {
            StoreProblem::Full | StoreProblem::NotWritable(_) => ServiceError::unwritable(text),
            StoreProblem::Locked => ServiceError::unavailable(text),
            _ => ServiceError::unexpected(text),
        };
        place.caused_by(error)
    }
}
