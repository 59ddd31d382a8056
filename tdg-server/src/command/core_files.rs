//! Core files, which would contain the clients' keys and the password of the database.

use rlimit::Resource;

/// Disables core files. The hard limit stays, so that an operator can raise the limit of the
/// process to investigate a crash.
pub(super) fn forbid() {
    let forbidden = Resource::CORE
        .get_hard()
        .and_then(|hard| Resource::CORE.set(0, hard));
    if let Err(error) = forbidden {
        tracing::warn!(%error, "a crash may leave a core file with keys in it");
    }
}
