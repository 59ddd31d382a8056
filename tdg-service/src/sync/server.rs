//! What a server says of itself and of the key that asks.

use tdg_definition::json::Value;
use uuid::Uuid;

use crate::Timestamp;
use crate::object::{self, Malformed, Members, ServiceObject};

/// The answer of `GET /v1/server`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerFacts {
    /// The version of the server.
    pub version: String,
    /// Identifies its database. One that was restored from a backup is another.
    pub epoch: Uuid,
    /// What it can do besides the interface: `sync`.
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
}

impl object::sealed::Sealed for ServerFacts {}

impl ServiceObject for ServerFacts {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        members.string("version", &self.version);
        members.uuid("epoch", self.epoch);
        members.strings("capabilities", &self.capabilities);
        members.string("account", &self.account);
        let mut key = Members::begin(members.value("key"));
        key.string("prefix", &self.key.prefix);
        key.string("name", &self.key.name);
        key.strings("scopes", &self.key.scopes);
        match self.key.expires {
            Some(expires) => key.precise_time("expires", expires),
            None => key.value("expires").push_str("null"),
        }
        key.end();
        let mut limits = Members::begin(members.value("limits"));
        limits.integer("request_bytes", self.limits.request_bytes);
        limits.integer("records", self.limits.records);
        limits.integer("definition_bytes", self.limits.definition_bytes);
        limits.end();
        members.end();
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        let (key, limits) = (
            object::member(value, "key")?,
            object::member(value, "limits")?,
        );
        Ok(ServerFacts {
            version: object::string(value, "version")?,
            epoch: object::uuid(value, "epoch")?,
            capabilities: object::strings(value, "capabilities")?,
            account: object::string(value, "account")?,
            key: KeyFacts {
                prefix: object::string(key, "prefix")?,
                name: object::string(key, "name")?,
                scopes: object::strings(key, "scopes")?,
                expires: match object::member(key, "expires")? {
                    Value::Null => None,
                    _ => Some(object::precise_time(key, "expires")?),
                },
            },
            limits: ServerLimits {
                request_bytes: object::integer(limits, "request_bytes")?,
                records: object::integer(limits, "records")?,
                definition_bytes: object::integer(limits, "definition_bytes")?,
            },
        })
    }
}
