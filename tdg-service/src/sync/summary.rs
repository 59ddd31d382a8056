//! The results of a synchronisation.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::{Direction, RecordOutcome};
use crate::record::{Record, RecordKind};

/// The results of a synchronisation, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyncSummary {
    /// Records sent to the other place.
    pub pushed: BTreeMap<RecordKind, Transferred>,
    /// Records fetched from the other place.
    pub pulled: BTreeMap<RecordKind, Transferred>,
    /// The number of deleted objects that were removed locally, or would be in a dry run.
    pub pruned: u64,
}

/// The results for the records of a kind in one direction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transferred {
    /// The number of records added at the other place.
    pub made: u64,
    /// The number of records that already existed.
    pub had: u64,
    /// The number of records that are missing at the other place but not sent, because of the
    /// direction or a dry run.
    pub left: u64,
    /// The refused records with their outcome, including records that belong to a refused one.
    pub refused: Vec<(Uuid, RecordOutcome)>,
}

/// A report that some records were sent.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// The direction in which they were sent.
    pub direction: Direction,
    /// The kind of the records.
    pub kind: RecordKind,
    /// The number of processed records of this kind.
    pub done: usize,
    /// The total number of records to process.
    pub of: usize,
    /// The records.
    pub records: &'a [Record],
    /// The outcome of each record.
    pub answers: &'a [RecordOutcome],
}
