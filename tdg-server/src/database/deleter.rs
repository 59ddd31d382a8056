//! Who deletes something.

/// The sender of a request; nothing is known of the operator.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deleter {
    /// The prefix of the key.
    pub(crate) key: Option<String>,
    pub(crate) address: Option<String>,
}
