//! What a synchronisation is to do.

use std::collections::BTreeSet;

use uuid::Uuid;

use crate::Timestamp;

/// Which way records go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From here to there.
    Push,
    /// From there to here.
    Pull,
    /// Both ways.
    Sync,
}

impl Direction {
    /// Whether records go from here to there.
    pub fn pushes(self) -> bool {
        self != Direction::Pull
    }

    /// Whether records go from there to here.
    pub fn pulls(self) -> bool {
        self != Direction::Push
    }
}

/// What a synchronisation is to do.
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
    /// Which way records go.
    pub direction: Direction,
    /// The tests whose records go, by identity; `None` for all records.
    pub tests: Option<BTreeSet<Uuid>>,
    /// How many of the newest assertions of a benchmark go, counted over both places; `None` for
    /// all that both places keep.
    pub history: Option<usize>,
    /// Older assertions don't go.
    pub since: Timestamp,
    /// Whether nothing is added anywhere.
    pub dry_run: bool,
    /// Whether what was deleted there, and is still stored here, is sent again.
    pub revive: bool,
    /// Whether what was deleted there is removed here, when records are pulled.
    pub prune: bool,
    /// Whether rows are sent that no definition draws.
    pub with_rows: bool,
}

impl SyncPlan {
    /// All records.
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
