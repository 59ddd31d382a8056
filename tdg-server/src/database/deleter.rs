//! Who deletes something, and who sends records, some of which delete.

use crate::keys::ProjectLimit;

/// The sender of a request; nothing is known of the operator.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deleter {
    /// The prefix of the key.
    pub(crate) key: Option<String>,
    pub(crate) address: Option<String>,
}

/// Whoever sends records.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordSender {
    /// The projects that the sender's key opens.
    pub(crate) limit: ProjectLimit,
    pub(crate) deleter: Deleter,
}
