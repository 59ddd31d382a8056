//! The local store: the benchmarks of every test, their history, and pending changes.
//!
//! A run needs a small part of it ([`RunStore`]), and works without. The store itself is
//! [`Store`], an SQLite database (feature `sqlite` or `sqlite-system`).

mod decision;
mod directory;
mod error;
mod run;
mod run_mark;
#[cfg(feature = "sqlite-system")]
mod sqlite;

use std::path::Path;
use std::sync::Arc;

use crate::snapshot::Snapshot;
use crate::test_id::TestId;

pub use decision::{Decision, DecisionKind, UnknownDecision};
pub use error::{Cause, Problem, StoreError};
pub use run::{Claim, Expected, PendingUpdate, Run};
pub use run_mark::RunMark;
#[cfg(feature = "records")]
pub use sqlite::records;
#[cfg(feature = "sqlite-system")]
pub use sqlite::{
    Assertion, Benchmark, Committed, DecisionRecord, HISTORY, PendingChange, PendingDetails, Store,
    Uuid,
};

/// The part of the local store that a test run needs.
pub trait RunStore: Send + Sync {
    /// The current benchmark of a test whose benchmark is in the store alone.
    ///
    /// # Errors
    /// When the store or the benchmark can't be read.
    fn benchmark(&self, test: &TestId) -> Result<Option<Snapshot>, StoreError>;

    /// Writes a run, whole or not at all. Returns the policy of the run before, if it was another.
    ///
    /// # Errors
    /// [`Problem::Claimed`] if another function has the same identity; else when the store can't be
    /// written.
    fn commit(&self, run: &Run<'_>) -> Result<Option<String>, StoreError>;

    /// The text kept under that key.
    ///
    /// # Errors
    /// When the store can't be read.
    fn downloaded(&self, key: &str) -> Result<Option<String>, StoreError>;

    /// Keeps a text under a key that identifies it.
    ///
    /// # Errors
    /// When the store can't be written.
    fn keep_download(&self, key: &str, text: &str) -> Result<(), StoreError>;
}

/// The store in `directory`, opened once per process; `None` in a build without SQLite.
///
/// # Errors
/// When the store can't be used.
#[cfg(feature = "sqlite-system")]
pub fn open(directory: &Path) -> Result<Option<Arc<dyn RunStore>>, Arc<StoreError>> {
    Store::shared(directory).map(|store| Some(store as Arc<dyn RunStore>))
}

/// The store in a build without SQLite.
///
/// # Errors
/// Never.
#[cfg(not(feature = "sqlite-system"))]
pub fn open(_: &Path) -> Result<Option<Arc<dyn RunStore>>, Arc<StoreError>> {
    Ok(None)
}
