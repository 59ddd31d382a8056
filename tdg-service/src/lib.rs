//! The `/v1` interface as a trait, its objects, and its rules.
//!
//! [`Service`] has one method for each operation, and each is atomic: all of it happens or nothing.
//! An implementation speaks for one account; the objects of other accounts are not found. The
//! objects have one JSON form ([`ServiceObject`]), which server and client share. Validation,
//! default names and the comparison of outputs are in [`rules`], once for all databases.
//!
//! `RemoteService` is the service of a server (feature `client`). `LocalReplica` is the local
//! store, as a place to [synchronise](sync) (feature `local`).
//!
//! `Definition`, `Feature`, `Ensemble` and `Benchmark` are the interface's objects here. The
//! language's own are written [`tdg_definition::Definition`] and [`tdg_definition::Feature`].

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
pub use self::object::{Malformed, ServiceObject};
pub use self::page::{List, ObjectPart, Page};
pub use self::project::{NewProject, Project};
#[cfg(feature = "client")]
pub use self::remote::{ApiKey, Found, Patience, RemoteReplica, RemoteService, SetupError};
pub use self::timestamp::Timestamp;

/// The result of an operation of the service.
pub type Result<T> = std::result::Result<T, ServiceError>;

/// The `/v1` interface for one account.
///
/// Deleting an object deletes everything that belongs to it. Lists and the arrays within objects
/// are in the order of creation, except for a benchmark's history, which is newest first.
///
/// Every operation that creates an object accepts an [`IdempotencyKey`]. Repeated with the same key
/// and the same request, it returns the object that it created the first time, or creates it again
/// if that was deleted. With the same key and another request, it is a
/// [conflict](ServiceError::Conflict). After [a day](IdempotencyKey::LIFETIME), a key can be used
/// again.
///
/// # Errors
///
/// Every method: [`NotFound`](ServiceError::NotFound) for an identifier that the account does not
/// have, [`Unavailable`](ServiceError::Unavailable) if the database or the server can't be reached.
/// Those that create an object: [`Invalid`](ServiceError::Invalid) with all faults, and `Conflict`.
///
/// The trait is sealed: it can't be implemented outside of this crate.
pub trait Service: object::sealed::Sealed {
    /// The account's projects.
    fn projects(&self, page: &Page) -> Result<List<Project>>;

    /// Creates a project; a missing or blank name becomes `New project`.
    fn create_project(&self, request: &NewProject, key: Option<&IdempotencyKey>)
    -> Result<Project>;

    /// A project with its definitions.
    fn project(&self, project: Uuid) -> Result<Project>;

    /// Deletes a project and all that belongs to it.
    fn delete_project(&self, project: Uuid) -> Result<()>;

    /// The definitions of all the account's projects.
    fn definitions(&self, page: &Page) -> Result<List<Definition>>;

    /// Adds a definition to a project.
    fn create_definition(
        &self,
        request: &NewDefinition,
        key: Option<&IdempotencyKey>,
    ) -> Result<Definition>;

    /// A definition with its features and ensembles.
    fn definition(&self, definition: Uuid) -> Result<Definition>;

    /// Deletes a definition and all that belongs to it.
    fn delete_definition(&self, definition: Uuid) -> Result<()>;

    /// The ensembles of a definition.
    fn ensembles(&self, definition: Uuid, page: &Page) -> Result<List<Ensemble>>;

    /// Draws an ensemble from a definition.
    fn create_ensemble(
        &self,
        definition: Uuid,
        request: &NewEnsemble,
        key: Option<&IdempotencyKey>,
    ) -> Result<Ensemble>;

    /// An ensemble with its benchmarks, without its rows.
    fn ensemble(&self, ensemble: Uuid) -> Result<Ensemble>;

    /// The rows of an ensemble as JSON text: `[[12.44,3,"HALF"],…]`.
    fn vectors(&self, ensemble: Uuid) -> Result<String>;

    /// Deletes an ensemble and all that belongs to it.
    fn delete_ensemble(&self, ensemble: Uuid) -> Result<()>;

    /// The benchmarks of an ensemble, which has to be the definition's.
    fn benchmarks(&self, definition: Uuid, ensemble: Uuid, page: &Page) -> Result<List<Benchmark>>;

    /// Creates a benchmark of an ensemble, which has to be the definition's.
    fn create_benchmark(
        &self,
        definition: Uuid,
        ensemble: Uuid,
        request: &NewBenchmark,
        key: Option<&IdempotencyKey>,
    ) -> Result<Benchmark>;

    /// A benchmark with the newest [`HISTORY`](Benchmark::HISTORY) assertions.
    fn benchmark(&self, benchmark: Uuid) -> Result<Benchmark>;

    /// The assertions of a benchmark, newest first.
    fn history(&self, benchmark: Uuid, page: &Page) -> Result<List<AssertionEntry>>;

    /// The outputs that a benchmark expects, as JSON text: `[18.66,…]`.
    fn expected_output(&self, benchmark: Uuid) -> Result<String>;

    /// Compares outputs with a benchmark and adds the result to its history.
    fn assert(
        &self,
        benchmark: Uuid,
        request: &NewAssertion,
        key: Option<&IdempotencyKey>,
    ) -> Result<Assertion>;

    /// Deletes a benchmark and its history.
    fn delete_benchmark(&self, benchmark: Uuid) -> Result<()>;
}
