//! Records of the audit log.

use tdg_service::{Timestamp, Uuid};

use super::Account;

/// A change, or a refusal.
#[derive(Clone, Debug)]
pub(crate) struct AuditRecord {
    /// `None` if the sender has no valid key.
    pub(crate) account: Option<Account>,
    pub(crate) at: Timestamp,
    pub(crate) uuid: Uuid,
    /// The prefix of the key that was presented.
    pub(crate) key: Option<String>,
    /// The client's; the operator's commands have none.
    pub(crate) address: Option<String>,
    /// The endpoint, or the command.
    pub(crate) action: String,
    /// The kind of the object that was created or deleted.
    pub(crate) kind: Option<String>,
    pub(crate) object: Option<Uuid>,
    pub(crate) status: u16,
    /// The identifier of the request, as in the log.
    pub(crate) request: Option<String>,
}

/// Which records are asked for: the newest, the oldest of them first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AuditFilter {
    /// All accounts if it is `None`.
    pub(crate) account: Option<Account>,
    pub(crate) since: Timestamp,
    pub(crate) limit: usize,
}

impl AuditRecord {
    /// A command of the operator, which was carried out.
    pub(crate) fn of_command(
        action: String,
        account: Option<Account>,
        key: Option<String>,
    ) -> Self {
        AuditRecord {
            account,
            at: Timestamp::now(),
            uuid: Uuid::new_v4(),
            key,
            address: None,
            action,
            kind: None,
            object: None,
            status: 200,
            request: None,
        }
    }
}
