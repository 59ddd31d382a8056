//! Synchronising two places: each gets the records that only the other one has.
//!
//! Nothing is known beforehand, and nothing is remembered. Digests of parts of the sets tell where
//! they differ; only there, identities are compared. So a synchronisation that was interrupted goes
//! on where it was, and a place that lost its records gets them back.

mod choice;
mod differences;
mod histories;
mod plan;
mod replica;
pub mod request;
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
