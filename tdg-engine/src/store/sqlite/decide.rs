//! Deciding about a pending change.

use rusqlite::{Transaction, params};
use uuid::Uuid;

use super::Expected;
use super::error::Problem;
use super::rows::{self, Id, execute, first};
use super::{Store, StoreError, identifier};
use crate::test_id::TestId;

impl Store {
    /// Makes the pending change the test's benchmark, and answers the benchmark's identifier.
    ///
    /// `change` is the one that was looked at: [`Problem::Superseded`] if a run has replaced or
    /// settled it since.
    ///
    /// # Errors
    ///
    /// That, and when the store can't be written; the benchmark is then the one that it was.
    pub fn accept(
        &self,
        test: &TestId,
        change: Uuid,
        reason: Option<&str>,
    ) -> Result<Uuid, StoreError> {
        self.write(|transaction| {
            let id = waiting(transaction, test, change)?;
            let benchmark = identifier::random(transaction)?;
            execute(
                transaction,
                "INSERT INTO benchmark (uuid, ensemble, test, added, reason, outputs)
                 SELECT ?2, ensemble, test, ?3, ?4, outputs FROM pending WHERE test = ?1",
                params![id, benchmark.as_bytes(), rows::now(), reason],
            )?;
            let point = "UPDATE test SET benchmark = ?2 WHERE id = ?1";
            execute(
                transaction,
                point,
                params![id, transaction.last_insert_rowid()],
            )?;
            execute(
                transaction,
                "DELETE FROM pending WHERE test = ?1",
                params![id],
            )?;
            Ok(benchmark)
        })
    }

    /// Makes this the test's benchmark, as a snapshot file that somebody accepted has it.
    ///
    /// # Errors
    ///
    /// When the store can't be written; the benchmark is then the one that it was.
    pub fn adopt(
        &self,
        test: &TestId,
        expected: &Expected<'_>,
        reason: Option<&str>,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            let id = match rows::find_test(transaction, test)? {
                Some(id) => id,
                None => rows::new_test(transaction, test)?,
            };
            let benchmark = rows::benchmark(transaction, test, id, expected, reason)?;
            let decided = "UPDATE benchmark SET reason = ifnull(?2, reason) WHERE id = ?1";
            execute(transaction, decided, params![benchmark, reason])?;
            let point = "UPDATE test SET benchmark = ?2 WHERE id = ?1";
            execute(transaction, point, params![id, benchmark])?;
            Ok(())
        })
    }

    /// Forgets whatever waits for a decision about a test.
    ///
    /// # Errors
    ///
    /// When the store can't be written.
    pub fn settle(&self, test: &TestId) -> Result<(), StoreError> {
        self.write(|transaction| {
            if let Some(id) = rows::find_test(transaction, test)? {
                execute(
                    transaction,
                    "DELETE FROM pending WHERE test = ?1",
                    params![id],
                )?;
            }
            Ok(())
        })
    }

    /// Forgets the pending change; the benchmark stays.
    ///
    /// # Errors
    ///
    /// As [`accept`](Store::accept).
    pub fn reject(&self, test: &TestId, change: Uuid) -> Result<(), StoreError> {
        self.write(|transaction| {
            let id = waiting(transaction, test, change)?;
            execute(
                transaction,
                "DELETE FROM pending WHERE test = ?1",
                params![id],
            )?;
            Ok(())
        })
    }
}

/// The test's id, if `change` is what is pending.
fn waiting(transaction: &Transaction<'_>, test: &TestId, change: Uuid) -> Result<Id, Problem> {
    let id = rows::find_test(transaction, test)?.ok_or(Problem::Superseded)?;
    let pending = "SELECT test FROM pending WHERE test = ?1 AND uuid = ?2";
    first(
        transaction,
        pending,
        params![id, change.as_bytes()],
        |row| row.get(0),
    )?
    .ok_or(Problem::Superseded)
}
