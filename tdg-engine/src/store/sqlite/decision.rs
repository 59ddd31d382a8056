//! The decisions about a test: they are added, and never changed or removed.

use rusqlite::{Row, Transaction, params};
use uuid::Uuid;

use super::benchmark::uuid;
use super::error::Problem;
use super::rows::{self, Id, execute, first};
use super::{Decision, DecisionKind, Store, StoreError, history, identifier};
use crate::test_id::TestId;

/// A decision in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionRecord {
    /// Its identifier.
    pub uuid: Uuid,
    /// The time, in milliseconds since 1970 UTC.
    pub time: i64,
    /// The decision.
    pub decision: Decision,
    /// The benchmark that it made.
    pub benchmark: Option<Uuid>,
    /// The earlier identity of a test that was renamed.
    pub renamed_from: Option<TestId>,
}

impl Store {
    /// Every decision about a test, newest first.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn decisions(&self, test: &TestId) -> Result<Vec<DecisionRecord>, StoreError> {
        self.read(|connection| {
            let Some(id) = rows::find_test(connection, test)? else {
                return Ok(Vec::new());
            };
            let mut statement = connection.prepare(
                "SELECT decision.uuid, time, kind, decision.reason, author, commit_id, branch,
                     dirty, ci, benchmark.uuid, from_package, from_source, from_name
                 FROM decision LEFT JOIN benchmark ON benchmark.id = decision.benchmark
                 WHERE decision.test = ?1 ORDER BY time DESC, n DESC",
            )?;
            let decisions = statement.query_map([id], record)?;
            decisions.map(|decision| decision?).collect()
        })
    }
}

/// Adds a decision. A clock that is set back does not reorder them.
pub(super) fn add(
    transaction: &Transaction<'_>,
    test: Id,
    decision: &Decision,
    benchmark: Option<Id>,
    from: Option<&TestId>,
    now: i64,
) -> Result<(), Problem> {
    let newest = "SELECT n, time FROM decision WHERE test = ?1 ORDER BY n DESC LIMIT 1";
    let newest = first(transaction, newest, params![test], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
    })?;
    let (last_n, last_time) = newest.unwrap_or_default();
    let time = now.max(last_time);
    execute(
        transaction,
        "INSERT INTO decision
         (test, n, uuid, kind, time, reason, author, commit_id, branch, dirty, ci, benchmark,
          from_package, from_source, from_name)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
        params![
            test,
            last_n + 1,
            identifier::timed(transaction, time)?.as_bytes(),
            decision.kind.as_str(),
            time,
            decision.reason,
            decision.author,
            decision.checkout.commit,
            decision.checkout.branch,
            decision.dirty,
            decision.ci,
            benchmark,
            from.map(|from| &from.package),
            from.map(|from| &from.source),
            from.map(|from| &from.name)
        ],
    )
    .map(drop)
}

fn record(row: &Row<'_>) -> rusqlite::Result<Result<DecisionRecord, Problem>> {
    let word: String = row.get(2)?;
    let kind = match word.parse::<DecisionKind>() {
        Ok(kind) => kind,
        Err(error) => return Ok(Err(Problem::Corrupt(error.into()))),
    };
    let benchmark: Option<[u8; 16]> = row.get(9)?;
    let is_renamed = row.get::<_, Option<String>>(12)?.is_some();
    Ok(Ok(DecisionRecord {
        uuid: uuid(row, 0)?,
        time: row.get(1)?,
        decision: Decision {
            kind,
            reason: row.get(3)?,
            author: row.get(4)?,
            checkout: history::checkout(row, 5)?,
            dirty: row.get(7)?,
            ci: row.get(8)?,
        },
        benchmark: benchmark.map(Uuid::from_bytes),
        renamed_from: is_renamed.then(|| history::test(row, 10)).transpose()?,
    }))
}
