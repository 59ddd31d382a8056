//! The objects of the `/v1` interface, its rules, and its client.
//!
//! The objects have one JSON form ([`JsonForm`]), which server and client share. Validation,
//! default names and the comparison of outputs are in [`rules`] and don't depend on a database.
//!
//! `RemoteService` is the client, with a method per operation (feature `client`). `LocalReplica`
//! makes the local store a place to [synchronise](sync) (feature `local`).
//!
//! In this crate, `Definition`, `Feature`, `Ensemble` and `Benchmark` are the interface's objects.
//! The types of the definition language are written [`tdg_definition::Definition`] and
//! [`tdg_definition::Feature`].

pub mod address;
mod assertion;
mod benchmark;
mod body;
mod definition;
mod ensemble;
mod error;
mod idempotency;
#[cfg(feature = "local")]
mod local;
mod object;
mod page;
mod project;
pub mod record;
#[cfg(feature = "client")]
mod remote;
pub mod rules;
pub mod sync;
#[cfg(test)]
mod tests;
mod timestamp;

pub use uuid::Uuid;

pub use self::assertion::{Assertion, AssertionEntry, Diff, NewAssertion};
pub use self::benchmark::{Benchmark, NewBenchmark};
pub use self::definition::{Definition, Feature, NewDefinition};
pub use self::ensemble::{Ensemble, NewEnsemble};
pub use self::error::{Message, ObjectKind, ServiceError};
pub use self::idempotency::{Fingerprint, IdempotencyKey, IdempotentRequest, Operation};
#[cfg(feature = "local")]
pub use self::local::{LocalReplica, Repair};
pub use self::object::{JsonForm, Malformed};
pub use self::page::{List, ObjectPart, Page};
pub use self::project::{NewProject, Project};
#[cfg(feature = "client")]
pub use self::remote::{
    ApiKey, BrowserLogin, Found, Patience, RemoteReplica, RemoteService, SetupError,
};
pub use self::timestamp::Timestamp;

/// The result of an operation of the service.
pub type Result<T> = std::result::Result<T, ServiceError>;
