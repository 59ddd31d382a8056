//! Decisions about pending changes.

use rusqlite::{Transaction, params};
use uuid::Uuid;

use super::Expected;
use super::error::Problem;
use super::rows::{self, Id, execute, first};
use super::{Store, StoreError, identifier};
use crate::test_id::TestId;

impl Store {
    /// Makes the pending change the test's benchmark, and returns the benchmark's identifier.
    ///
    /// # Errors
    ///
    /// [`Problem::Superseded`] if a run has replaced or cleared `change` since it was shown; else
    /// if the store can't be written. The benchmark is then unchanged.
    pub fn accept(
        &self,
        test: &TestId,
        change: Uuid,
        reason: Option<&str>,
    ) -> Result<Uuid, StoreError> {
        self.write(|transaction| {
            let id = pending_test(transaction, test, change)?;
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

    /// Makes the benchmark of an accepted snapshot file the test's benchmark.
    ///
    /// # Errors
    ///
    /// When the store can't be written. The benchmark is then unchanged.
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
            let Expected {
                ensemble,
                vectors,
                outputs,
            } = *expected;
            let ensemble = rows::ensemble(transaction, test, ensemble, vectors)?;
            let current = "SELECT benchmark.id FROM test
                           JOIN benchmark ON benchmark.id = test.benchmark
                           WHERE test.id = ?1 AND ensemble = ?2 AND outputs = ?3";
            let identity = params![id, ensemble, outputs];
            let current: Option<Id> = first(transaction, current, identity, |row| row.get(0))?;
            match current {
                Some(benchmark) => {
                    let explain = "UPDATE benchmark SET reason = ifnull(?2, reason) WHERE id = ?1";
                    execute(transaction, explain, params![benchmark, reason])?;
                }
                // Even if the test had these outputs earlier: a decision has its own date and
                // reason.
                None => {
                    let benchmark =
                        rows::new_benchmark(transaction, id, ensemble, outputs, reason)?;
                    let point = "UPDATE test SET benchmark = ?2 WHERE id = ?1";
                    execute(transaction, point, params![id, benchmark])?;
                }
            }
            Ok(())
        })
    }

    /// Removes a test's pending change, if any.
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

    /// Removes the pending change; the benchmark stays.
    ///
    /// # Errors
    ///
    /// As [`accept`](Store::accept).
    pub fn reject(&self, test: &TestId, change: Uuid) -> Result<(), StoreError> {
        self.write(|transaction| {
            let id = pending_test(transaction, test, change)?;
            execute(
                transaction,
                "DELETE FROM pending WHERE test = ?1",
                params![id],
            )?;
            Ok(())
        })
    }
}

/// The test's id, if `change` is still pending.
fn pending_test(transaction: &Transaction<'_>, test: &TestId, change: Uuid) -> Result<Id, Problem> {
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
