//! Requests that may be repeated without repeating their effect.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use hmac_sha256::Hash;
use tdg_engine::identifier;
use uuid::Uuid;

use super::ServiceError;

/// A name that a caller gives to one request and reuses each time the request is repeated.
///
/// ```
/// use tdg_service::IdempotencyKey;
///
/// let key: IdempotencyKey = "run-4711/total".parse()?;
/// assert_eq!(key.as_str(), "run-4711/total");
/// assert!("two words".parse::<IdempotencyKey>().is_err());
/// # Ok::<(), tdg_service::ServiceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// The time for which a service remembers a key.
    pub const LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);
    /// The maximum length, in characters.
    pub const LENGTH: usize = 255;

    /// Creates a key of 122 random bits.
    pub fn random() -> Self {
        Self(Uuid::from_bytes(identifier::random()).to_string())
    }

    /// Returns the key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for IdempotencyKey {
    type Err = ServiceError;

    fn from_str(text: &str) -> Result<Self, ServiceError> {
        let length = 1..=Self::LENGTH;
        if length.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Ok(Self(text.to_owned()));
        }
        Err(ServiceError::malformed(format!(
            "an idempotency key has 1 to {} visible ASCII characters",
            Self::LENGTH
        )))
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A request with an idempotency key, as a service remembers it to recognise a repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// The caller's name for the request.
    pub key: IdempotencyKey,
    /// A hash that distinguishes it from other requests.
    pub fingerprint: Fingerprint,
}

impl IdempotentRequest {
    /// Creates the request with this JSON ([`to_json`](super::NewProject::to_json)) and these
    /// identifiers in its path.
    pub fn new(key: &IdempotencyKey, operation: Operation, path: &[Uuid], body: &str) -> Self {
        Self {
            key: key.clone(),
            fingerprint: Fingerprint::new(operation, path, body),
        }
    }

    /// Returns the error for a key that was already used for a different request.
    pub fn conflict(&self) -> ServiceError {
        let key = &self.key;
        let message = format!(
            "the idempotency key {key} was used for another request; use a new key for a new request"
        );
        ServiceError::Conflict(message.into())
    }
}

/// The operations that accept an idempotency key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// [`create_project`](super::RemoteService::create_project)
    CreateProject,
    /// [`create_definition`](super::RemoteService::create_definition)
    CreateDefinition,
    /// [`create_ensemble`](super::RemoteService::create_ensemble)
    CreateEnsemble,
    /// [`create_benchmark`](super::RemoteService::create_benchmark)
    CreateBenchmark,
    /// [`assert`](super::RemoteService::assert)
    Assert,
}

/// A hash of a request: its operation, the identifiers in its path, and its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    fn new(operation: Operation, path: &[Uuid], body: &str) -> Self {
        let mut hash = Hash::new();
        hash.update([operation as u8, path.len() as u8]);
        for uuid in path {
            hash.update(uuid.as_bytes());
        }
        hash.update(body);
        Self(hash.finalize())
    }

    /// Returns the bytes to store along with the key.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}
