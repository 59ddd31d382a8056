//! The sender of a request that deletes objects or adds records.

use crate::keys::ProjectLimit;

/// The sender of a request. All fields are `None` for the operator.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deleter {
    /// The prefix of the key.
    pub(crate) key: Option<String>,
    pub(crate) address: Option<String>,
}

/// The sender of records. Some may delete objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordSender {
    /// The projects that the sender's key opens.
    pub(crate) limit: ProjectLimit,
    pub(crate) deleter: Deleter,
}
