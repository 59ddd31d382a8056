//! The local store: the benchmarks of all tests, their history, and pending changes.
//!
//! The store itself is [`Store`], an SQLite database (feature `sqlite` or `sqlite-system`). A run
//! uses a small part of it ([`RunStore`]), mostly without opening it, and also works without one.

mod decision;
mod directory;
mod error;
mod filesystem;
mod journal;
mod moment;
mod run;
mod run_facts;
mod run_mark;
mod run_store;
#[cfg(feature = "sqlite-system")]
mod sqlite;
mod verified_rule;

use crate::identifier;
use moment::Moment;

/// The database in the store's directory.
const STORE: &str = "store.db";
/// The first line of the file that marks the directory as tdg's.
const MARK: &str = "# The local store of tdg.";

/// Returns the key for the time of a run, in microseconds since 1970 UTC, that was to use a server
/// although the test's file pins no benchmark there.
#[must_use]
pub fn unpinned_key(test: &crate::TestId) -> String {
    format!("unpinned {} {} {}", test.package, test.source, test.name)
}

pub use decision::{Channel, Decision, DecisionKind};
pub use error::{Cause, StoreError, StoreProblem};
pub use run::{Claim, Expected, PendingUpdate, RenamedFrom, ReplacedBenchmark, Run};
pub use run_facts::{FactError, RunFacts};
pub use run_mark::RunMark;
pub use run_store::RunStore;
#[cfg(feature = "sqlite-system")]
pub use sqlite::{
    Committed, FileLock, HISTORY, HistoryEntry, PendingDetails, PendingTest, Store,
    StoredBenchmark, StoredDecision, Uuid, beside,
};
#[cfg(feature = "records")]
pub use sqlite::{RemovedOutputs, records};
pub use verified_rule::VerifiedRule;
