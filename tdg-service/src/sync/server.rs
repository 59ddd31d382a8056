//! Facts about a server and the key of a request.

use uuid::Uuid;

use crate::Timestamp;
use crate::object::members;

/// The answer of `GET /v1/server`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerFacts {
    /// The version of the server.
    pub version: String,
    /// The identity of its database. A database restored from a backup gets another one.
    pub epoch: Uuid,
    /// Its capabilities in addition to the interface: `sync`, `pages`.
    pub capabilities: Vec<String>,
    /// The account that the key belongs to.
    pub account: String,
    /// The key.
    pub key: KeyFacts,
    /// Its limits.
    pub limits: ServerLimits,
}

/// The public facts about a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyFacts {
    /// The part that isn't secret.
    pub prefix: String,
    /// Its name.
    pub name: String,
    /// Its scopes: `read`, `assert`, `write`.
    pub scopes: Vec<String>,
    /// When it expires, or `None` if never.
    pub expires: Option<Timestamp>,
}

/// The limits of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerLimits {
    /// The maximum size of a request, in bytes.
    pub request_bytes: u64,
    /// The maximum number of records in a request.
    pub records: u64,
    /// The maximum size of a definition, in bytes.
    pub definition_bytes: u64,
}

impl ServerFacts {
    /// The capability to synchronise.
    pub(crate) const SYNC: &'static str = "sync";
    /// The capability to show [pages](crate::address).
    const PAGES: &'static str = "pages";

    /// Creates the facts about a server without pages.
    pub fn new(
        version: String,
        epoch: Uuid,
        account: String,
        key: KeyFacts,
        limits: ServerLimits,
    ) -> Self {
        ServerFacts {
            version,
            epoch,
            capabilities: vec![Self::SYNC.to_owned()],
            account,
            key,
            limits,
        }
    }

    /// Adds the capability to show pages.
    #[must_use]
    pub fn with_pages(mut self) -> Self {
        self.capabilities.push(Self::PAGES.to_owned());
        self
    }

    /// Returns true if the server has pages.
    pub fn has_pages(&self) -> bool {
        self.capabilities.iter().any(|it| it == Self::PAGES)
    }
}

members! { ServerFacts: version, epoch, capabilities, account, key, limits }

members! { KeyFacts: prefix, name, scopes, expires }

members! { ServerLimits: request_bytes, records, definition_bytes }
