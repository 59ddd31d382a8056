//! A place with a project's records.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use crate::record::{Record, RecordKind, SetDigest, SetDigests, TombstoneRecord};
use crate::{Result, Timestamp};

/// A place with the records of one project: a local store or a server.
///
/// A place has a record if the record is stored, and neither its object nor an object that this
/// belongs to has an unrevived tombstone. Deleted objects may still be stored, but never count.
///
/// Requests and answers are bounded: an answer may cover only the first elements of a request.
pub trait Replica {
    /// Returns the digests of all records except assertions. Kinds without records are omitted.
    ///
    /// # Errors
    ///
    /// Every method fails if the place can't be read or written.
    fn digests(&self) -> Result<BTreeMap<RecordKind, SetDigests>>;

    /// Returns the identities of a kind in these parts.
    fn identities(&self, kind: RecordKind, parts: &[u8]) -> Result<Vec<Uuid>>;

    /// Returns the records of a kind that are missing, and those that are gone.
    fn missing(&self, kind: RecordKind, identities: &[Uuid]) -> Result<MissingResponse>;

    /// Returns the assertions of the first benchmarks, at least of one.
    fn histories(&self, questions: &[HistoryQuestion]) -> Result<Vec<BenchmarkHistory>>;

    /// Returns the first records, at least one. `None` marks a record that no longer exists.
    fn records(&self, wanted: &[Wanted]) -> Result<Vec<Option<Record>>>;

    /// Adds the records in order, each completely or not at all. Returns an outcome for each.
    fn add(&self, records: &[Record]) -> Result<Vec<RecordOutcome>>;
}

/// A place that keeps objects deleted at another place until they are pruned.
pub trait StoreReplica: Replica {
    /// Returns the benchmarks of tests, or at least those that no decision names.
    ///
    /// # Errors
    ///
    /// Every method fails if the store can't be read or written.
    fn benchmarks(&self, tests: &BTreeSet<Uuid>) -> Result<Vec<Uuid>>;

    /// Returns the unrevived tombstones whose objects are still stored, of all tests or of these.
    fn deleted(&self, tests: Option<&BTreeSet<Uuid>>) -> Result<Vec<TombstoneRecord>>;

    /// Removes the objects of these tombstones and everything below them that isn't in use.
    fn prune(&self, tombstones: &[TombstoneRecord]) -> Result<()>;

    /// Counts the tombstones for which pruning would remove something.
    fn prunable(&self, tombstones: &[TombstoneRecord]) -> Result<u64>;
}

/// A question about the assertions of a benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryQuestion {
    /// The benchmark.
    pub benchmark: Uuid,
    /// Assertions before this time are ignored.
    pub since: Timestamp,
    /// Assertions from this time on are listed. The others are in the digest.
    pub listed_from: Timestamp,
}

/// The assertions of a benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchmarkHistory {
    /// Assertions before this time may have been trimmed, and must not be sent again.
    pub kept_since: Timestamp,
    /// The digest of the unlisted assertions, from the later of `kept_since` and `since` on.
    pub digest: SetDigest,
    /// The times and identities of the listed assertions, in order.
    pub listed: Vec<(Timestamp, Uuid)>,
}

/// A requested record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The benchmark, the time and the identity of an assertion.
    Assertion(Uuid, Timestamp, Uuid),
    /// Any other record.
    Other(RecordKind, Uuid),
}

impl Wanted {
    /// Returns its identity.
    pub fn uuid(self) -> Uuid {
        let (Wanted::Assertion(_, _, uuid) | Wanted::Other(_, uuid)) = self;
        uuid
    }
}

/// The outcome of adding a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordOutcome {
    /// It was added.
    Made,
    /// It already existed.
    Had,
    /// It, or an object that it belongs to, was deleted. The UUID is the deleted object's.
    Gone(Uuid),
    /// A different record has the same identity.
    Differs,
    /// It was refused for this reason.
    Refused(String),
}

impl RecordOutcome {
    /// Returns the outcome for a record that was added unless it existed.
    pub fn added(is_new: bool) -> Self {
        if is_new { Self::Made } else { Self::Had }
    }

    /// Returns the outcome for a record whose identity is already stored.
    pub fn stored(is_same: bool) -> Self {
        if is_same { Self::Had } else { Self::Differs }
    }

    /// Returns the outcome for a record that refers to a missing one.
    pub fn missing(kind: RecordKind, uuid: Uuid) -> Self {
        Self::Refused(format!("there is no {kind} {uuid}"))
    }
}

/// The answer of [`Replica::missing`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MissingResponse {
    /// The records that don't exist.
    pub missing: Vec<Uuid>,
    /// The records that were deleted, or belong to a deleted object.
    pub gone: Vec<Uuid>,
}
