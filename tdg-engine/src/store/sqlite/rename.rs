//! Another identity for a test.

use rusqlite::{Transaction, params};

use super::error::Problem;
use super::rows::{self, Id, execute};
use super::{Decision, Store, StoreError, decision};
use crate::test_id::TestId;

impl Store {
    /// Moves a test with its benchmarks, history, decisions and pending change to the identity
    /// `to`, and adds the decision. A history that `to` has already is kept, and both are one from
    /// then on. The benchmark is that of `from`, if it has one; the pending change is that of `to`,
    /// if it has one, since it ran last.
    ///
    /// # Errors
    ///
    /// When the store can't be written. Nothing is then moved.
    pub fn rename(
        &self,
        from: &TestId,
        to: &TestId,
        decision: &Decision,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            let test = rows::test(transaction, to)?;
            if let Some(old) = rows::find_test(transaction, from)?
                && old != test
            {
                join(transaction, old, test)?;
            }
            decision::add(transaction, test, decision, None, Some(from), rows::now())
        })
    }
}

/// Moves all that `old` has to `test`.
fn join(transaction: &Transaction<'_>, old: Id, test: Id) -> Result<(), Problem> {
    for moves in [
        "UPDATE benchmark SET test = ?2 WHERE test = ?1",
        "UPDATE decision SET test = ?2 WHERE test = ?1",
        "UPDATE OR IGNORE pending SET test = ?2 WHERE test = ?1",
    ] {
        execute(transaction, moves, params![old, test])?;
    }
    let current = "UPDATE test SET benchmark = old.benchmark, policy = old.policy FROM test AS old
                   WHERE test.id = ?2 AND old.id = ?1 AND old.benchmark IS NOT NULL";
    execute(transaction, current, params![old, test])?;
    let gone = "DELETE FROM test WHERE id = ?1";
    execute(transaction, gone, params![old]).map(drop)
}
