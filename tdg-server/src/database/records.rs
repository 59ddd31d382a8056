//! Records, by which stores are synchronised.
//!
//! The objects of the interface are records once they have an identity, which they get when their
//! project is first synchronised. Several can have the same one: then the earliest stands for them,
//! and their assertions are one history.

use std::error::Error;

use async_trait::async_trait;
use tdg_service::record::{
    BenchmarkRecord, EnsembleRecord, Record, RecordKind, RowSource, TombstoneRecord,
};
use tdg_service::sync::{HistoryQuestion, RecordOutcome, Wanted};
use tdg_service::{ObjectKind, Result, Timestamp, Uuid};

use super::Account;

/// The records of an account's projects. A project that the account doesn't have has none.
#[async_trait]
pub(crate) trait Records: Send + Sync {
    /// Identifies the database: one that was restored from a backup is another.
    async fn epoch(&self) -> Result<Uuid>;

    /// Gives some of a project's objects their identity. Whether there may be more without.
    async fn identify(&self, account: Account, project: Uuid) -> Result<bool>;

    /// The identities of a kind other than assertions, in any order.
    async fn identities(
        &self,
        account: Account,
        project: Uuid,
        kind: RecordKind,
    ) -> Result<Vec<Uuid>>;

    /// Those of a project's identities that were deleted and not revived.
    async fn gone(
        &self,
        account: Account,
        project: Uuid,
        identities: Vec<Uuid>,
    ) -> Result<Vec<Uuid>>;

    /// The assertions of the first of these benchmarks, in order: at least of one, and of no more
    /// after that many that are to be listed.
    async fn assertions(
        &self,
        account: Account,
        questions: Vec<HistoryQuestion>,
        most: usize,
    ) -> Result<Vec<AssertionsSince>>;

    /// The first of these records: at least one, and no more after that many bytes. A damaged one
    /// counts as not there.
    async fn records(
        &self,
        account: Account,
        project: Uuid,
        wanted: Vec<Wanted>,
        bytes: usize,
    ) -> Result<Vec<Option<Record>>>;

    /// Adds records in order, each whole or not at all, with an answer for each. They have passed
    /// the rules of the interface.
    async fn add_records(
        &self,
        account: Account,
        project: Uuid,
        records: Vec<Record>,
    ) -> Result<Vec<RecordOutcome>>;

    /// What is needed to draw an ensemble whose rows are not stored.
    async fn undrawn(&self, account: Account, ensemble: Uuid) -> Result<Undrawn>;

    /// Keeps the rows of an ensemble, unless it has some.
    async fn keep_rows(
        &self,
        account: Account,
        ensemble: Uuid,
        rows: crate::packed_rows::PackedRows,
    ) -> Result<()>;
}

/// The assertions of a benchmark from a time on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AssertionsSince {
    /// Those before may have been removed.
    pub(crate) kept_since: Timestamp,
    /// Their times and identities, in order.
    pub(crate) entries: Vec<(Timestamp, Uuid)>,
}

impl AssertionsSince {
    /// How many are to be listed.
    pub(super) fn listed(&self, asked: &HistoryQuestion) -> usize {
        let older = |(time, _): &(Timestamp, Uuid)| *time < asked.listed_from;
        self.entries.len() - self.entries.partition_point(older)
    }
}

/// An ensemble that a definition draws.
#[derive(Clone, Debug)]
pub(crate) struct Undrawn {
    /// The canonical text of its definition.
    pub(crate) definition: String,
    pub(crate) size: usize,
    pub(crate) seed: u64,
    pub(crate) sampler_version: u32,
    pub(crate) digest: String,
}

/// The bytes of what is large in a record.
pub(crate) fn large_bytes(record: &Record) -> usize {
    match record {
        Record::Definition(definition) => definition.definition.to_string().len(),
        Record::Benchmark(benchmark) => benchmark.outputs.as_json().len(),
        Record::Ensemble(EnsembleRecord {
            rows: RowSource::Given(rows),
            ..
        }) => rows.as_json().len(),
        _ => 0,
    }
}

/// Why a record is damaged whose content is another's.
pub(super) const OTHER_CONTENT: &str = "its content is not what its identity says";

/// Names a damaged record in the log. Nobody gets it, and everybody gets the others.
pub(super) fn log_damage(wanted: Wanted, error: &(dyn Error + Send + Sync)) {
    let record = wanted.uuid();
    tracing::error!(%record, %error, "a record is damaged; restore a backup");
}

/// Whatever a record is about: if one of these was deleted, the record is gone.
pub(super) fn objects_of(record: &Record) -> Vec<Uuid> {
    if is_deletion(record) {
        return Vec::new();
    }
    let parents = record.parents().into_iter().map(|(_, uuid)| uuid);
    // Assertions are many, and not deleted one by one.
    let own = (record.kind() != RecordKind::Assertion).then(|| record.uuid());
    parents.chain(own).collect()
}

/// Whether a record changes what is gone.
pub(super) fn is_deletion(record: &Record) -> bool {
    matches!(record, Record::Tombstone(_) | Record::Revival(_))
}

/// By what a record that is stored as it is will be looked for.
pub(super) fn about(record: &Record) -> Option<Uuid> {
    match record {
        Record::Tombstone(it) => Some(it.object),
        Record::Revival(it) => Some(it.tombstone),
        Record::Decision(it) => it.benchmark,
        _ => None,
    }
}

/// The answer to a record that refers to what is not there.
pub(super) fn missing(kind: RecordKind, uuid: Uuid) -> RecordOutcome {
    RecordOutcome::Refused(format!("there is no {kind} {uuid}"))
}

/// The answer to a record where this is stored with its identity.
pub(super) fn had<T: PartialEq>(found: Option<&T>, record: &T) -> RecordOutcome {
    match found == Some(record) {
        true => RecordOutcome::Had,
        false => RecordOutcome::Differs,
    }
}

/// The answer to a benchmark that doesn't fit the rows of its ensemble.
pub(super) fn misfit(record: &BenchmarkRecord, rows: usize) -> Option<RecordOutcome> {
    let count = record.outputs.len();
    let reason = || format!("it has {count} outputs, and its ensemble {rows} rows");
    (count != rows).then(|| RecordOutcome::Refused(reason()))
}

/// The answer to an ensemble that is there with this digest. The version of samplers is part of its
/// identity, so other rows are an error of one of the two that drew them.
pub(super) fn drawn_before(digest: &str, record: &EnsembleRecord) -> RecordOutcome {
    match digest == record.digest {
        true => RecordOutcome::Had,
        false => RecordOutcome::Differs,
    }
}

/// Whether a row of `record` is there: a decision goes with its benchmark, and comes back with it.
pub(super) const IS_THERE: &str = "(kind <> 'decision' OR about IS NULL OR EXISTS (
     SELECT 1 FROM benchmark WHERE benchmark.account = record.account
         AND benchmark.identity = record.about))";

/// In place of the version of samplers, where no definition draws the rows.
pub(crate) const GIVEN: u32 = 0;

/// The most assertions that are read for an answer, listed or not, before it ends.
pub(super) const READ: usize = 1_000_000;

/// The most objects of a kind that get their identity at once.
pub(super) const IDENTIFIED: i64 = 500;

/// The kind of the objects that a tombstone is about.
pub(super) fn buried_kind(tombstone: &TombstoneRecord) -> Option<ObjectKind> {
    let mut kinds = OBJECTS.into_iter();
    kinds.find(|kind| record_kind(*kind) == tombstone.of)
}

/// The kind of the records of objects.
pub(super) fn record_kind(kind: ObjectKind) -> RecordKind {
    match kind {
        ObjectKind::Project => RecordKind::Project,
        ObjectKind::Definition => RecordKind::Definition,
        ObjectKind::Ensemble => RecordKind::Ensemble,
        _ => RecordKind::Benchmark,
    }
}

/// The kinds of objects that tombstones are about.
const OBJECTS: [ObjectKind; 4] = [
    ObjectKind::Project,
    ObjectKind::Definition,
    ObjectKind::Ensemble,
    ObjectKind::Benchmark,
];
