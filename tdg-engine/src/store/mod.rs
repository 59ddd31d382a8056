//! The local store: every test's benchmarks, their history, and the changes that are pending.
//!
//! A run needs little of it ([`RunStore`]), and works without one. The store itself is SQLite's
//! ([`Store`], feature `sqlite` or `sqlite-system`).

mod error;
mod run;
#[cfg(feature = "sqlite-system")]
mod sqlite;

use std::path::Path;
use std::sync::Arc;

use crate::snapshot::Snapshot;
use crate::test_id::TestId;

pub use error::{Cause, Problem, StoreError};
pub use run::{Claim, Expected, PendingUpdate, Run};
#[cfg(feature = "sqlite-system")]
pub use sqlite::{Assertion, Benchmark, Committed, Decision, HISTORY, PendingChange, Store, Uuid};

/// What a test run needs of the local store.
pub trait RunStore: Send + Sync {
    /// The current benchmark of a test whose benchmark is in the store alone.
    ///
    /// # Errors
    /// When the store or the benchmark can't be read.
    fn benchmark(&self, test: &TestId) -> Result<Option<Snapshot>, StoreError>;

    /// Writes a run, all of it or nothing.
    ///
    /// # Errors
    /// [`Problem::Claimed`] if another function has the same identity; else when the store can't be
    /// written.
    fn commit(&self, run: &Run<'_>) -> Result<(), StoreError>;

    /// The text that was kept under that key.
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

/// The store in `directory`, opened once in this process; `None` in a build without one.
///
/// # Errors
/// When the store can't be used.
#[cfg(feature = "sqlite-system")]
pub fn open(directory: &Path) -> Result<Option<Arc<dyn RunStore>>, Arc<StoreError>> {
    Store::shared(directory).map(|store| Some(store as Arc<dyn RunStore>))
}

/// The store in a build without one.
///
/// # Errors
/// None.
#[cfg(not(feature = "sqlite-system"))]
pub fn open(_: &Path) -> Result<Option<Arc<dyn RunStore>>, Arc<StoreError>> {
    Ok(None)
}
