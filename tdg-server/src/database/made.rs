//! The object that a request created.

use tdg_service::{Timestamp, Uuid};

/// The data that finds an object again when its request is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) uuid: Uuid,
    /// The time of an assertion, which is part of its key.
    pub(super) at: Option<Timestamp>,
}

impl Made {
    /// Generates the identifier of a new object other than an assertion.
    pub(super) fn new() -> Self {
        Made {
            uuid: Uuid::new_v4(),
            at: None,
        }
    }
}
