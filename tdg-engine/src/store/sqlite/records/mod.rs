//! The tables of a store, for synchronizing it with others (feature `records`).
//!
//! Everything happens in a transaction, so that reads are consistent and writes are atomic. Rows
//! are referenced by their `id`; callers compute content-based identities from the data. Times are
//! microseconds since 1970 UTC.

mod add;
mod find;
mod remote;
mod remove;

use std::path::Path;

use rusqlite::{Transaction, TransactionBehavior};
use uuid::Uuid;

use super::error::StoreProblem;
use super::{RunFacts, Store, StoreError};

pub use add::AddingAssertions;
pub use find::{AssertionFinder, DecisionPlace, HistoryOfRow};
pub use remote::RemoteProject;

/// The `id` of a row in any table.
pub type Id = super::rows::RowId;

/// The tables of a store, in one transaction.
#[derive(Debug)]
pub struct Tables<'t> {
    transaction: &'t Transaction<'t>,
    file: &'t Path,
}

/// An ensemble, without its definition, name and rows.
#[derive(Clone, Debug)]
pub struct EnsembleRow {
    /// The row id.
    pub id: Id,
    /// The row of its definition.
    pub definition: Id,
    /// The number of rows.
    pub size: usize,
    /// The seed.
    pub seed: u64,
    /// The version of the samplers.
    pub sampler_version: u32,
    /// The digest of the rows.
    pub digest: String,
    /// True if its definition draws the rows; `None` if unknown.
    pub is_drawn: Option<bool>,
    /// True if the store has the rows.
    pub has_rows: bool,
}

/// A benchmark without its outputs. Each test has its own row; one without a test exists until a
/// test gets the benchmark.
#[derive(Clone, Copy, Debug)]
pub struct BenchmarkRow {
    /// The row id.
    pub id: Id,
    /// The row of its ensemble.
    pub ensemble: Id,
    /// The row of the test, if any.
    pub test: Option<Id>,
    /// True unless its outputs were removed.
    pub has_outputs: bool,
}

/// An assertion.
#[derive(Clone, Debug, PartialEq)]
pub struct AssertionRow {
    /// The identifier.
    pub uuid: Uuid,
    /// The time.
    pub timestamp: i64,
    /// True if the outputs were as expected.
    pub asserted: bool,
    /// The facts of the run, if known.
    pub facts: Option<RunFacts>,
}

/// An object that was deleted elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TombstoneRow {
    /// The identifier.
    pub uuid: Uuid,
    /// The kind of the object; empty while only the revival has arrived.
    pub kind: String,
    /// The identity of the object.
    pub object: Uuid,
    /// The time when it was deleted.
    pub deleted: i64,
    /// True if the object was revived.
    pub is_revived: bool,
}

impl TombstoneRow {
    /// Creates the placeholder for a tombstone whose revival arrived first.
    pub fn to_come(uuid: Uuid) -> Self {
        TombstoneRow {
            uuid,
            kind: String::new(),
            object: Uuid::nil(),
            deleted: 0,
            is_revived: true,
        }
    }

    /// Returns true for a placeholder of a tombstone.
    pub fn is_to_come(&self) -> bool {
        self.kind.is_empty()
    }
}

impl Store {
    /// Reads the tables in a consistent state, without making other processes wait.
    ///
    /// # Errors
    /// If the store can't be read, or if `read` fails.
    pub fn read_tables<T, E: From<StoreError>>(
        &self,
        read: impl FnOnce(&Tables<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.in_transaction(TransactionBehavior::Deferred, read)
    }

    /// Writes to the tables atomically. Test runs wait meanwhile, so it should be short.
    ///
    /// # Errors
    /// If the store can't be written, or if `write` fails.
    pub fn write_tables<T, E: From<StoreError>>(
        &self,
        write: impl FnOnce(&Tables<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let written = self.in_transaction(TransactionBehavior::Immediate, write)?;
        self.shorten_log(&self.connection());
        Ok(written)
    }

    fn in_transaction<T, E: From<StoreError>>(
        &self,
        behavior: TransactionBehavior,
        work: impl FnOnce(&Tables<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let fail = |error: rusqlite::Error| StoreError::new(&self.file, error);
        let mut connection = self.connection();
        let transaction = connection
            .transaction_with_behavior(behavior)
            .map_err(fail)?;
        let done = work(&Tables {
            transaction: &transaction,
            file: &self.file,
        })?;
        transaction.commit().map_err(fail)?;
        Ok(done)
    }
}

impl Tables<'_> {
    /// Returns a version that changes with any change to the store.
    ///
    /// # Errors
    /// As for all methods of `Tables`: if the store can't be read or written.
    pub fn version(&self) -> Result<(i64, i64), StoreError> {
        let version = "SELECT data_version, total_changes() FROM pragma_data_version";
        self.try_to(|it| Ok(it.query_row(version, [], |row| Ok((row.get(0)?, row.get(1)?)))?))
    }

    fn try_to<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreProblem>,
    ) -> Result<T, StoreError> {
        work(self.transaction).map_err(|problem| StoreError::new(self.file, problem))
    }
}
