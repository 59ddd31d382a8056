//! What a server says of itself and of the key that asks.

use uuid::Uuid;

use crate::Timestamp;
use crate::object::object;

/// The answer of `GET /v1/server`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerFacts {
    /// The version of the server.
    pub version: String,
    /// Identifies its database. One that was restored from a backup is another.
    pub epoch: Uuid,
    /// What it can do besides the interface: `sync`, `pages`.
    pub capabilities: Vec<String>,
    /// The account that the key belongs to.
    pub account: String,
    /// The key.
    pub key: KeyFacts,
    /// Its limits.
    pub limits: ServerLimits,
}

/// A key, as far as it may be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyFacts {
    /// The part of it that isn't secret.
    pub prefix: String,
    /// The name that it was given.
    pub name: String,
    /// What it may do: `read`, `assert`, `write`.
    pub scopes: Vec<String>,
    /// When it expires, if ever.
    pub expires: Option<Timestamp>,
}

/// The limits of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerLimits {
    /// The most bytes of a request.
    pub request_bytes: u64,
    /// The most records of a request.
    pub records: u64,
    /// The most bytes of a definition.
    pub definition_bytes: u64,
}

impl ServerFacts {
    /// The capability of being synchronised with.
    pub(crate) const SYNC: &'static str = "sync";
    /// The capability of showing [pages](crate::address).
    const PAGES: &'static str = "pages";

    /// What a server says.
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

    /// The same of a server that has pages.
    #[must_use]
    pub fn with_pages(mut self) -> Self {
        self.capabilities.push(Self::PAGES.to_owned());
        self
    }

    /// Whether it has pages.
    pub fn has_pages(&self) -> bool {
        self.capabilities.iter().any(|it| it == Self::PAGES)
    }
}

object!(ServerFacts {
    version,
    epoch,
    capabilities,
    account,
    key,
    limits,
});

object!(KeyFacts {
    prefix,
    name,
    scopes,
    expires,
});

object!(ServerLimits {
    request_bytes,
    records,
    definition_bytes,
});
