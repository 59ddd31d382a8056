//! Synchronises two places: each gets the records that only the other one has.
//!
//! Synchronising keeps no state. Digests of parts of the sets show where they differ, and only
//! those parts are compared by identity. So an interrupted synchronisation resumes where it
//! stopped, and a place that lost its records gets them back.

mod differences;
mod histories;
mod plan;
mod replica;
pub mod request;
mod selected_records;
mod server;
mod summary;
mod synchronise;
#[cfg(test)]
mod tests;
mod transfer;
pub mod wire;

pub use self::plan::{Direction, SyncPlan};
pub use self::replica::{
    BenchmarkHistory, HistoryQuestion, RecordOutcome, Replica, StoreReplica, Wanted,
};
pub use self::server::{KeyFacts, ServerFacts, ServerLimits};
pub use self::summary::{Progress, SyncSummary, Transferred};
pub use self::synchronise::synchronise;
