//! Options of a synchronisation.

use std::collections::BTreeSet;

use uuid::Uuid;

use crate::Timestamp;

/// The direction in which records are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the local store to the other place.
    Push,
    /// From the other place to the local store.
    Pull,
    /// Both ways.
    Sync,
}

impl Direction {
    /// Returns true if records are sent to the other place.
    pub fn pushes(self) -> bool {
        self != Direction::Pull
    }

    /// Returns true if records are fetched from the other place.
    pub fn pulls(self) -> bool {
        self != Direction::Push
    }
}

/// The options of a synchronisation.
///
/// ```
/// use tdg_service::sync::{Direction, SyncPlan};
///
/// let mut plan = SyncPlan::new(Direction::Push);
/// plan.history = Some(100);
/// plan.dry_run = true;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SyncPlan {
    /// The direction in which records are sent.
    pub direction: Direction,
    /// The tests whose records are sent, by identity, or `None` for all records.
    pub tests: Option<BTreeSet<Uuid>>,
    /// The number of a benchmark's newest assertions to send, counted over both places, or `None`
    /// for all that both places keep.
    pub history: Option<usize>,
    /// Assertions before this time are not sent.
    pub since: Timestamp,
    /// True to add nothing anywhere.
    pub dry_run: bool,
    /// True to send objects again that were deleted there but are still stored locally.
    pub revive: bool,
    /// True to remove local objects that were deleted there, when records are pulled.
    pub prune: bool,
    /// True to send rows that come from a file instead of a definition.
    pub with_rows: bool,
}

impl SyncPlan {
    /// Creates a plan for all records.
    pub fn new(direction: Direction) -> Self {
        SyncPlan {
            direction,
            tests: None,
            history: None,
            since: Timestamp::MIN,
            dry_run: false,
            revive: false,
            prune: false,
            with_rows: false,
        }
    }
}
