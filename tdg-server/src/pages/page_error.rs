//! Errors of pages.

use tdg_service::ServiceError;

use crate::memory::OutOfMemory;

/// The reason that there is no page.
#[derive(Debug)]
pub(crate) enum PageError {
    /// The account has nothing at this address.
    Nothing,
    Service(ServiceError),
    OutOfMemory(OutOfMemory),
}

impl From<ServiceError> for PageError {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::NotFound(..) => PageError::Nothing,
            error => PageError::Service(error),
        }
    }
}

impl From<OutOfMemory> for PageError {
    fn from(error: OutOfMemory) -> Self {
        PageError::OutOfMemory(error)
    }
}
