//! What a page is made from: who asks, and what the address says.

use std::sync::Arc;

use tdg_service::Uuid;

use super::{PageError, Query};
use crate::database::{Account, Database};
use crate::keys::{KeyHash, KeyRecord};
use crate::memory::Memory;
use crate::operations::Operations;

/// Somebody who has signed in.
pub(crate) struct Visitor {
    pub(crate) account_name: Arc<str>,
    /// The person's, if a proxy tells it, or else the key's.
    pub(crate) name: String,
    pub(crate) key: KeyRecord,
    /// `None` with the token of a feed.
    pub(crate) session: Option<KeyHash>,
}

/// What somebody asks for.
pub(crate) struct PageRequest<'a> {
    pub(crate) visitor: &'a Visitor,
    pub(crate) operations: &'a Operations,
    pub(crate) memory: &'a Memory,
    /// Where this server is for whoever asks: `https://tdg.example.org`.
    pub(crate) origin: String,
    /// Those in the path, in its order.
    pub(crate) ids: Vec<Uuid>,
    /// The parameters of the address, or the fields of a form that was sent there.
    pub(crate) query: Query,
}

impl PageRequest<'_> {
    pub(super) fn account(&self) -> Account {
        self.visitor.key.account
    }

    pub(super) fn database(&self) -> &Database {
        &self.operations.database
    }

    /// The row that a page begins with; the first unless it says another.
    pub(super) fn row(&self) -> usize {
        let row = self.query.get("from").and_then(|row| row.parse().ok());
        row.unwrap_or(0)
    }

    /// The identifiers in the path.
    pub(super) fn ids<const COUNT: usize>(&self) -> Result<[Uuid; COUNT], PageError> {
        let ids = self.ids.first_chunk();
        ids.copied().ok_or(PageError::Nothing)
    }
}
