//! The tables of a store, for synchronising it with others (feature `records`).
//!
//! Everything happens in a transaction, so that what is read belongs together, and what is written
//! is there whole or not at all. Rows are named by their `id`; identities by content are made of
//! what is read here. Times are microseconds since 1970 UTC.

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

/// The `id` of a row, in any table.
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
    /// Its row.
    pub id: Id,
    /// The row of its definition.
    pub definition: Id,
    /// The number of rows.
    pub size: usize,
    /// The seed.
    pub seed: u64,
    /// The version of the samplers.
    pub sampler_version: u32,
    /// Identifies the rows.
    pub digest: String,
    /// Whether its definition draws the rows, if that is known.
    pub is_drawn: Option<bool>,
    /// Whether the store has the rows.
    pub has_rows: bool,
}

/// A benchmark, without its outputs. Each test has its own; there is one without a test until a
/// test has it.
#[derive(Clone, Copy, Debug)]
pub struct BenchmarkRow {
    /// Its row.
    pub id: Id,
    /// The row of its ensemble.
    pub ensemble: Id,
    /// The row of the test.
    pub test: Option<Id>,
    /// True if its outputs were not removed.
    pub has_outputs: bool,
}

/// An assertion.
#[derive(Clone, Debug, PartialEq)]
pub struct AssertionRow {
    /// Its identifier.
    pub uuid: Uuid,
    /// The time.
    pub timestamp: i64,
    /// Whether the outputs were as expected.
    pub asserted: bool,
    /// What is known of the run.
    pub facts: Option<RunFacts>,
}

/// An object that was deleted elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TombstoneRow {
    /// Its identifier.
    pub uuid: Uuid,
    /// The kind of the object; empty as long as only the revival is here.
    pub kind: String,
    /// The identity of the object.
    pub object: Uuid,
    /// When it was deleted.
    pub deleted: i64,
    /// Whether somebody wanted it again.
    pub is_revived: bool,
}

impl TombstoneRow {
    /// The row of a tombstone whose revival came before it.
    pub fn to_come(uuid: Uuid) -> Self {
        TombstoneRow {
            uuid,
            kind: String::new(),
            object: Uuid::nil(),
            deleted: 0,
            is_revived: true,
        }
    }

    /// Whether only the revival is here.
    pub fn is_to_come(&self) -> bool {
        self.kind.is_empty()
    }
}

impl Store {
    /// Reads the tables as they are at one moment. Nobody waits for that.
    ///
    /// # Errors
    /// When the store can't be read, and those of `read`.
    pub fn read_tables<T, E: From<StoreError>>(
        &self,
        read: impl FnOnce(&Tables<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.in_transaction(TransactionBehavior::Deferred, read)
    }

    /// Writes to the tables, all or nothing. Runs of tests wait meanwhile, so it should be short.
    ///
    /// # Errors
    /// When the store can't be written, and those of `write`.
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
    /// Changes whenever anything in the store does.
    ///
    /// # Errors
    /// Of every method here: when the store can't be read or written.
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
