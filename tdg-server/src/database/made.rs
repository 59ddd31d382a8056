//! The object that a request has made.

use tdg_service::{Timestamp, Uuid};

/// What is remembered of an object to find it again when its request is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) uuid: Uuid,
    /// The time of an assertion, which is part of its key.
    pub(super) at: Option<Timestamp>,
}

impl Made {
    /// An identifier for a new object other than an assertion.
    pub(super) fn new() -> Self {
        Made {
            uuid: Uuid::new_v4(),
            at: None,
        }
    }
}
