//! Core files: they would have the keys of clients and the password of the database in them.

use rlimit::Resource;

/// Writes none when the process crashes. The hard limit stays: for a crash that has to be
/// understood, the operator can raise the limit of the process.
pub(super) fn forbid() {
    let forbidden = Resource::CORE
        .get_hard()
        .and_then(|hard| Resource::CORE.set(0, hard));
    if let Err(error) = forbidden {
        tracing::warn!(%error, "a crash may leave a core file with keys in it");
    }
}
