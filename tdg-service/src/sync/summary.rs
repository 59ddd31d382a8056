//! What a synchronisation did.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::{Direction, RecordOutcome};
use crate::record::{Record, RecordKind};

/// What a synchronisation did, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyncSummary {
    /// From here to there.
    pub pushed: BTreeMap<RecordKind, Transferred>,
    /// From there to here.
    pub pulled: BTreeMap<RecordKind, Transferred>,
    /// The number of deleted objects that were removed here, or would be.
    pub pruned: u64,
}

/// The records of a kind, as far as they were to go one way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transferred {
    /// The number of those that were added at the other place.
    pub made: u64,
    /// The number of those that were there already.
    pub had: u64,
    /// The number of those that are missing at the other place, but do not go this way, or would go
    /// if this were no dry run.
    pub left: u64,
    /// Those that were refused, and why. One that belongs to such a record is among them.
    pub refused: Vec<(Uuid, RecordOutcome)>,
}

/// Some records were sent to a place.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// Whether they were pushed or pulled.
    pub direction: Direction,
    /// Their kind.
    pub kind: RecordKind,
    /// How many of that kind are done.
    pub done: usize,
    /// How many there are to do.
    pub of: usize,
    /// The records.
    pub records: &'a [Record],
    /// What became of them.
    pub answers: &'a [RecordOutcome],
}
