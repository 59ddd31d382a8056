//! Properties and outcomes of records that need no database.

use std::collections::HashSet;
use std::error::Error;

use tdg_service::Uuid;
use tdg_service::record::{Record, RecordKind};
use tdg_service::sync::Wanted;

/// The fault of a record whose content doesn't match its identity.
pub(super) const OTHER_CONTENT: &str = "its content is not what its identity says";

/// Logs a damaged record. It isn't sent to clients, unlike the others.
pub(super) fn log_damage(wanted: Wanted, error: &(dyn Error + Send + Sync)) {
    let record = wanted.uuid();
    tracing::error!(%record, %error, "a record is damaged; restore a backup");
}

/// Returns the objects that a record depends on. If one was deleted, the record is too.
pub(super) fn objects_of(record: &Record) -> Vec<Uuid> {
    if is_deletion(record) {
        return Vec::new();
    }
    let parents = record.parents().into_iter().map(|(_, uuid)| uuid);
    // Assertions are numerous, and not deleted one by one.
    let own = (record.kind() != RecordKind::Assertion).then(|| record.uuid());
    parents.chain(own).collect()
}

/// Returns true if a record deletes or revives objects.
pub(super) fn is_deletion(record: &Record) -> bool {
    matches!(record, Record::Tombstone(_) | Record::Revival(_))
}

/// The condition that a row of `record` is visible. A deleted benchmark hides its decisions.
macro_rules! is_there {
    () => {
        "(kind <> 'decision' OR about IS NULL OR EXISTS (
             SELECT 1 FROM benchmark WHERE benchmark.account = record.account
                 AND benchmark.identity = record.about))"
    };
}
pub(in crate::database) use is_there;

/// Replaces the version of samplers for rows that weren't drawn by a definition.
pub(super) const GIVEN: u32 = 0;

/// The number of assertions, listed or not, after which an answer ends.
pub(super) const READ: usize = 1_000_000;

/// The maximum number of objects of a kind that get an identity at once.
pub(super) const IDENTIFIED: i64 = 500;

/// Returns the deleted object among the record and those that it refers to, if any.
pub(super) fn gone_of(record: &Record, gone: &HashSet<Uuid>) -> Option<Uuid> {
    let mut objects = objects_of(record).into_iter();
    objects.find(|uuid| gone.contains(uuid))
}
