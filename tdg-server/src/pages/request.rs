//! The input of a page: the visitor and the address.

use std::sync::Arc;

use tdg_service::Uuid;

use super::{PageError, Query};
use crate::account::Account;
use crate::database::Database;
use crate::keys::{KeyHash, KeyRecord};
use crate::memory::Memory;
use crate::operations::Operations;

/// A user who has signed in.
pub(crate) struct Visitor {
    pub(crate) account_name: Arc<str>,
    /// The user's name, if a proxy sends it, or else the key's.
    pub(crate) name: String,
    pub(crate) key: KeyRecord,
    /// The session, or `None` with a feed token.
    pub(crate) session: Option<KeyHash>,
}

/// A request for a page.
pub(crate) struct PageRequest<'a> {
    pub(crate) visitor: &'a Visitor,
    pub(crate) operations: &'a Operations,
    pub(crate) memory: &'a Memory,
    /// The address of this server as the client sees it: `https://tdg.example.org`.
    pub(crate) origin: String,
    /// The identifiers in the path, in order.
    pub(crate) ids: Vec<Uuid>,
    /// The parameters of the address, or the fields of a form.
    pub(crate) query: Query,
}

impl PageRequest<'_> {
    pub(super) fn account(&self) -> Account {
        self.visitor.key.account
    }

    pub(super) fn database(&self) -> &Database {
        &self.operations.database
    }

    /// Returns the row that a page begins with, which defaults to the first.
    pub(super) fn row(&self) -> usize {
        let row = self.query.get("from").and_then(|row| row.parse().ok());
        row.unwrap_or(0)
    }

    /// Returns the identifiers in the path.
    pub(super) fn ids<const COUNT: usize>(&self) -> Result<[Uuid; COUNT], PageError> {
        let ids = self.ids.first_chunk();
        ids.copied().ok_or(PageError::Nothing)
    }
}
