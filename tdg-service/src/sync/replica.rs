//! A place that has a project's records.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use crate::record::{Record, RecordKind, SetDigest, SetDigests, TombstoneRecord};
use crate::{Result, Timestamp};

/// A place that has records of one project: a local store, or a server.
///
/// It has a record if that is stored, and if neither the object nor one that it belongs to has a
/// tombstone without a revival. What has one may still be stored, and counts nowhere here.
///
/// Requests and answers are bounded: an answer may be about the first of the elements alone.
pub trait Replica {
    /// The digests of all records but assertions. There is none for a kind without records.
    ///
    /// # Errors
    ///
    /// Of every method: if the place can't be read or written.
    fn digests(&self) -> Result<BTreeMap<RecordKind, SetDigests>>;

    /// The identities of a kind in these parts.
    fn identities(&self, kind: RecordKind, parts: &[u8]) -> Result<Vec<Uuid>>;

    /// Which records of a kind are not there, and which are gone.
    fn missing(&self, kind: RecordKind, identities: &[Uuid]) -> Result<MissingResponse>;

    /// The assertions of the first of these benchmarks, at least of one.
    fn histories(&self, questions: &[HistoryQuestion]) -> Result<Vec<BenchmarkHistory>>;

    /// The first of these records, at least one; `None` for one that is not there any more.
    fn records(&self, wanted: &[Wanted]) -> Result<Vec<Option<Record>>>;

    /// Adds the records in order, each whole or not at all, with an answer for each.
    fn add(&self, records: &[Record]) -> Result<Vec<RecordOutcome>>;
}

/// A place that keeps what another one deleted, until it is told to remove it.
pub trait StoreReplica: Replica {
    /// The benchmarks of tests: at least those that no decision names.
    ///
    /// # Errors
    ///
    /// Of every method: if the store can't be read or written.
    fn benchmarks(&self, tests: &BTreeSet<Uuid>) -> Result<Vec<Uuid>>;

    /// The tombstones without a revival whose objects are still stored; those of some tests alone,
    /// if they are given.
    fn deleted(&self, tests: Option<&BTreeSet<Uuid>>) -> Result<Vec<TombstoneRecord>>;

    /// Removes the objects of these tombstones, with all that belongs to them and isn't in use.
    fn prune(&self, tombstones: &[TombstoneRecord]) -> Result<()>;

    /// Of how many of these tombstones something would be removed.
    fn prunable(&self, tombstones: &[TombstoneRecord]) -> Result<u64>;
}

/// A question about the assertions of a benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryQuestion {
    /// The benchmark.
    pub benchmark: Uuid,
    /// Assertions before this time don't matter.
    pub since: Timestamp,
    /// Those from this time on are listed. The others are in the digest.
    pub listed_from: Timestamp,
}

/// The assertions of a benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchmarkHistory {
    /// Assertions before this time may have been removed, and are not wanted back.
    pub kept_since: Timestamp,
    /// The digest of those that are not listed, from both times on since when they matter.
    pub digest: SetDigest,
    /// The times and identities of the others, in order.
    pub listed: Vec<(Timestamp, Uuid)>,
}

/// A record that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// An assertion of a benchmark, at a time.
    Assertion(Uuid, Timestamp, Uuid),
    /// Any other.
    Other(RecordKind, Uuid),
}

impl Wanted {
    /// Its identity.
    pub fn uuid(self) -> Uuid {
        let (Wanted::Assertion(_, _, uuid) | Wanted::Other(_, uuid)) = self;
        uuid
    }
}

/// What became of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordOutcome {
    /// It was added.
    Made,
    /// It was there already.
    Had,
    /// The object with that identity was deleted: it, or one that it belongs to.
    Gone(Uuid),
    /// There is another record with its identity.
    Differs,
    /// It was refused, for that reason.
    Refused(String),
}

impl RecordOutcome {
    /// Of a record that was added, unless it was there.
    pub fn added(is_new: bool) -> Self {
        if is_new { Self::Made } else { Self::Had }
    }

    /// Of a record where one with its identity is stored, the same or another.
    pub fn stored(is_same: bool) -> Self {
        if is_same { Self::Had } else { Self::Differs }
    }

    /// Of a record that refers to what is not there.
    pub fn missing(kind: RecordKind, uuid: Uuid) -> Self {
        Self::Refused(format!("there is no {kind} {uuid}"))
    }
}

/// The answer of [`Replica::missing`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MissingResponse {
    /// Those that are not there.
    pub missing: Vec<Uuid>,
    /// Those that were deleted, or that belong to something that was.
    pub gone: Vec<Uuid>,
}
