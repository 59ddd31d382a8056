//! Requests that may be repeated without being done again.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use hmac_sha256::Hash;
use uuid::Uuid;

use super::ServiceError;

/// What a caller names one intention with, however many times it has to ask.
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
    /// How long a service remembers one.
    pub const LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);
    /// The longest, in characters.
    pub const LENGTH: usize = 255;

    /// One that nobody else has.
    pub fn random() -> Self {
        Self(Uuid::new_v4().to_string())
    }

    /// The text.
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
        Err(ServiceError::Malformed(format!(
            "an idempotency key has 1 to {} characters, all of them visible ASCII",
            Self::LENGTH
        )))
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An intention and what was asked for with it: what a service keeps to know a repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Once {
    /// The caller's name for it.
    pub key: IdempotencyKey,
    /// Of the request.
    pub fingerprint: Fingerprint,
}

impl Once {
    /// For a request with that JSON ([`to_json`](super::NewProject::to_json)) on what the path names.
    pub fn new(key: &IdempotencyKey, operation: Operation, on: &[Uuid], body: &str) -> Self {
        Self {
            key: key.clone(),
            fingerprint: Fingerprint::new(operation, on, body),
        }
    }

    /// The answer if the key came with another request before.
    pub fn conflict(&self) -> ServiceError {
        let key = &self.key;
        ServiceError::Conflict(format!(
            "the idempotency key {key} was used for another request; use a new key for a new request"
        ))
    }
}

/// The operations that take an idempotency key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// [`create_project`](super::Service::create_project)
    CreateProject,
    /// [`create_definition`](super::Service::create_definition)
    CreateDefinition,
    /// [`create_ensemble`](super::Service::create_ensemble)
    CreateEnsemble,
    /// [`create_benchmark`](super::Service::create_benchmark)
    CreateBenchmark,
    /// [`assert`](super::Service::assert)
    Assert,
}

/// What tells one request from another: the operation, what it is done to, and what is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    fn new(operation: Operation, on: &[Uuid], body: &str) -> Self {
        let mut hash = Hash::new();
        hash.update([operation as u8, on.len() as u8]);
        for uuid in on {
            hash.update(uuid.as_bytes());
        }
        hash.update(body);
        Self(hash.finalize())
    }

    /// To be stored beside the key.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}
