//! Decisions about pending changes.

use rusqlite::{Transaction, params};
use uuid::Uuid;

use super::error::StoreProblem;
use super::rows::{self, RowId, execute, value};
use super::{Decision, DecisionKind, Expected, Store, StoreError, decision, identifier, pending};
use crate::test_id::TestId;

impl Store {
    /// Makes the pending change the test's benchmark, and returns the benchmark's identifier.
    ///
    /// # Errors
    ///
    /// [`StoreProblem::Superseded`] if a run has replaced or cleared `change` since it was shown;
    /// otherwise if the store can't be written. The benchmark is then unchanged.
    pub fn accept(
        &self,
        test: &TestId,
        change: Uuid,
        decision: &Decision,
    ) -> Result<Uuid, StoreError> {
        self.write(|transaction| {
            let id = pending_test(transaction, test, change)?;
            let uuid = Uuid::from_bytes(identifier::random());
            let now = rows::now();
            let benchmark = rows::insert(
                transaction,
                "INSERT INTO benchmark (uuid, ensemble, test, added, outputs)
                 SELECT ?2, ensemble, test, ?3, outputs FROM pending WHERE test = ?1",
                params![id, uuid.as_bytes(), now],
            )?;
            rows::point_to(transaction, id, Some(benchmark))?;
            let policy = "UPDATE test SET policy = pending.policy FROM pending
                          WHERE test.id = ?1 AND pending.test = ?1 AND pending.policy IS NOT NULL";
            execute(transaction, policy, params![id])?;
            rows::remove_pending(transaction, id)?;
            decision::add(transaction, id, decision, Some(benchmark), None, now)?;
            Ok(uuid)
        })
    }

    /// Makes the benchmark of an accepted snapshot file the test's benchmark. If only a part of the
    /// pending change was accepted, the rest counts as seen, since it was shown with it.
    ///
    /// # Errors
    ///
    /// If the store can't be written. The benchmark is then unchanged.
    pub fn adopt(
        &self,
        test: &TestId,
        expected: &Expected<'_>,
        decision: &Decision,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            let (id, benchmark) = follow(transaction, test, expected)?;
            if decision.kind == DecisionKind::AcceptedInPart {
                pending::mark_seen(transaction, id, expected)?;
            }
            decision::add(
                transaction,
                id,
                decision,
                Some(benchmark),
                None,
                rows::now(),
            )
        })
    }

    /// Gives a test the benchmark that was accepted elsewhere, where its decision is stored.
    ///
    /// # Errors
    ///
    /// If the store can't be written. The benchmark is then unchanged.
    pub fn follow(&self, test: &TestId, expected: &Expected<'_>) -> Result<(), StoreError> {
        self.write(|transaction| follow(transaction, test, expected).map(drop))
    }

    /// Removes a test's pending change, if any.
    ///
    /// # Errors
    ///
    /// If the store can't be written.
    pub fn settle(&self, test: &TestId) -> Result<(), StoreError> {
        self.write(|transaction| match rows::find_test(transaction, test)? {
            Some(id) => rows::remove_pending(transaction, id),
            None => Ok(()),
        })
    }

    /// Removes the pending change; the benchmark stays. `change` is `None` if the change was in a
    /// file.
    ///
    /// # Errors
    ///
    /// Same as [`accept`](Store::accept).
    pub fn reject(
        &self,
        test: &TestId,
        change: Option<Uuid>,
        decision: &Decision,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            let id = match change {
                Some(change) => pending_test(transaction, test, change)?,
                None => rows::test(transaction, test)?,
            };
            rows::remove_pending(transaction, id)?;
            decision::add(transaction, id, decision, None, None, rows::now())
        })
    }
}

/// Gives a test this benchmark, and returns the ids of both.
fn follow(
    transaction: &Transaction<'_>,
    test: &TestId,
    expected: &Expected<'_>,
) -> Result<(RowId, RowId), StoreProblem> {
    let id = rows::test(transaction, test)?;
    let (benchmark, _) = rows::benchmark(transaction, test, id, expected)?;
    rows::point_to(transaction, id, Some(benchmark))?;
    Ok((id, benchmark))
}

/// Returns the test's id, if `change` is still pending.
fn pending_test(
    transaction: &Transaction<'_>,
    test: &TestId,
    change: Uuid,
) -> Result<RowId, StoreProblem> {
    let id = rows::find_test(transaction, test)?.ok_or(StoreProblem::Superseded)?;
    let pending = "SELECT test FROM pending WHERE test = ?1 AND uuid = ?2";
    let found = value(transaction, pending, params![id, change.as_bytes()])?;
    found.ok_or(StoreProblem::Superseded)
}
