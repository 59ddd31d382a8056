//! The object that a request created.

use tdg_service::{Timestamp, Uuid};

/// The data that finds an object again when its request is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Made {
    pub(crate) uuid: Uuid,
    /// The time of an assertion, which is part of its key.
    pub(crate) at: Option<Timestamp>,
}

impl Made {
    /// Generates the identifier of a new object other than an assertion.
    pub(crate) fn new() -> Self {
        Made {
            uuid: Uuid::new_v4(),
            at: None,
        }
    }
}
