//! Renaming tests.

use rusqlite::{Transaction, params};

use super::error::StoreProblem;
use super::rows::{self, RowId, all, execute, exists};
use super::{Decision, Run, Store, StoreError, decision, history};
use crate::ensemble::Ensemble;
use crate::store::RenamedFrom;
use crate::test_id::TestId;

impl Store {
    /// Moves a test with its benchmarks, history, decisions and pending change to the identity
    /// `to`, and adds the decision. An existing history of `to` is merged with it. The benchmark
    /// comes from `from` if it has one; the pending change from `to` if it has one, since `to` ran
    /// last.
    ///
    /// # Errors
    ///
    /// If the store can't be written. Nothing is then moved.
    pub fn rename(
        &self,
        from: &TestId,
        to: &TestId,
        decision: &Decision,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            let test = join(transaction, from, to)?;
            decision::add(transaction, test, decision, None, Some(from), rows::now())
        })
    }
}

/// Returns the former identity of the running test. The test must have no benchmark in the store,
/// and exactly one other test lost its file and had this benchmark; of several, the one whose name
/// is still in the file. An old commit may be running, so this isn't a decision.
pub(super) fn former(
    transaction: &Transaction<'_>,
    run: &Run<'_>,
    renamed: RenamedFrom<'_>,
) -> Result<Option<TestId>, StoreProblem> {
    let (Some(benchmark), None) = (&run.benchmark, run.decision) else {
        return Ok(None);
    };
    let is_known = "SELECT 1 FROM project JOIN test ON test.project = project.id
                    WHERE project.name = ?1 AND test.source = ?2 AND test.name = ?3
                        AND test.benchmark IS NOT NULL";
    let TestId {
        package,
        source,
        name,
    } = run.test;
    if exists(transaction, is_known, params![package, source, name])? {
        return Ok(None);
    }
    let sql = "SELECT project.name, test.source, test.name
         FROM project JOIN test ON test.project = project.id
         JOIN benchmark ON benchmark.id = test.benchmark
         JOIN ensemble ON ensemble.id = benchmark.ensemble
         WHERE project.name = ?1 AND ensemble.digest = ?2 AND benchmark.outputs = ?3
         ORDER BY test.name = ?4 DESC, test.id";
    let Ensemble { digest, name, .. } = benchmark.ensemble;
    let alike = params![package, digest, benchmark.outputs, name];
    let tests = all(transaction, sql, alike, |row| history::test(row, 0))?;
    let found: Vec<_> = tests.into_iter().filter(renamed).collect();
    let is_certain = match found.as_slice() {
        [_] => true,
        [one, other, ..] => one.name == *name && other.name != *name,
        [] => false,
    };
    Ok(found.into_iter().next().filter(|_| is_certain))
}

/// Moves everything from `from` to `to`, and returns the id of `to`.
pub(super) fn join(
    transaction: &Transaction<'_>,
    from: &TestId,
    to: &TestId,
) -> Result<RowId, StoreProblem> {
    let test = rows::test(transaction, to)?;
    let Some(old) = rows::find_test(transaction, from)?.filter(|old| *old != test) else {
        return Ok(test);
    };
    for moves in [
        "UPDATE benchmark SET test = ?2 WHERE test = ?1",
        "UPDATE decision SET test = ?2 WHERE test = ?1",
        "UPDATE OR IGNORE pending SET test = ?2 WHERE test = ?1",
        "UPDATE test SET benchmark = old.benchmark, policy = old.policy FROM test AS old
         WHERE test.id = ?2 AND old.id = ?1 AND old.benchmark IS NOT NULL",
    ] {
        execute(transaction, moves, params![old, test])?;
    }
    execute(transaction, "DELETE FROM test WHERE id = ?1", params![old])?;
    Ok(test)
}
