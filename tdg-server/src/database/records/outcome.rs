//! What is known of a record by itself.

use std::collections::HashSet;
use std::error::Error;

use tdg_service::Uuid;
use tdg_service::record::{EnsembleRecord, Record, RecordKind, RowSource};
use tdg_service::sync::Wanted;

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

/// Whether a row of `record` is there: a decision goes with its benchmark, and comes back with it.
macro_rules! is_there {
    () => {
        "(kind <> 'decision' OR about IS NULL OR EXISTS (
             SELECT 1 FROM benchmark WHERE benchmark.account = record.account
                 AND benchmark.identity = record.about))"
    };
}
pub(in crate::database) use is_there;

/// In place of the version of samplers, where no definition draws the rows.
pub(super) const GIVEN: u32 = 0;

/// The most assertions that are read for an answer, listed or not, before it ends.
pub(super) const READ: usize = 1_000_000;

/// The most objects of a kind that get their identity at once.
pub(super) const IDENTIFIED: i64 = 500;

/// What of the record, or of what it refers to, is gone.
pub(super) fn gone_of(record: &Record, gone: &HashSet<Uuid>) -> Option<Uuid> {
    let mut objects = objects_of(record).into_iter();
    objects.find(|uuid| gone.contains(uuid))
}
