//! The decisions about a test. They are only added, never changed or removed.

use rusqlite::{Row, Transaction, params};
use uuid::Uuid;

use super::benchmark::uuid;
use super::error::StoreProblem;
use super::rows::{self, RowId, all, execute, value};
use super::{Channel, Decision, DecisionKind, Store, StoreError, history, identifier};
use crate::checkout::Checkout;
use crate::store::moment::time_after;
use crate::test_id::TestId;

/// A decision in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDecision {
    /// The identifier.
    pub uuid: Uuid,
    /// The time, in microseconds since 1970 UTC.
    pub time: i64,
    /// The decision.
    pub decision: Decision,
    /// The benchmark that resulted from it.
    pub benchmark: Option<Uuid>,
    /// The earlier identity of a test that was renamed.
    pub renamed_from: Option<TestId>,
    /// The URL of the server that it was pulled from, if any.
    pub origin: Option<String>,
}

/// The query for the columns that [`record`] reads.
pub(super) const DECISIONS: &str =
    "SELECT decision.uuid, time, kind, reason, author, commit_id, branch, dirty, ci,
         benchmark.uuid, from_package, from_source, from_name, origin,
         replaces, through, arrived
     FROM decision LEFT JOIN benchmark ON benchmark.id = decision.benchmark";

impl Store {
    /// Returns all decisions about a test, newest first.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn decisions(&self, test: &TestId) -> Result<Vec<StoredDecision>, StoreError> {
        self.read(|connection| {
            let Some(id) = rows::find_test(connection, test)? else {
                return Ok(Vec::new());
            };
            let sql = format!(
                "{DECISIONS} WHERE decision.test = ?1 ORDER BY time DESC, decision.uuid DESC"
            );
            all(connection, &sql, params![id], record)
        })
    }
}

/// Adds a decision. A clock that is set back doesn't reorder local decisions.
pub(super) fn add(
    transaction: &Transaction<'_>,
    test: RowId,
    decision: &Decision,
    benchmark: Option<RowId>,
    from: Option<&TestId>,
    now: i64,
) -> Result<(), StoreProblem> {
    let newest = "SELECT max(time) FROM decision WHERE test = ?1 AND origin IS NULL";
    let newest = value::<Option<i64>>(transaction, newest, params![test])?.flatten();
    let time = newest.map_or(now, |newest| time_after(now, newest));
    let uuid = Uuid::from_bytes(identifier::timed(time));
    insert(
        transaction,
        test,
        decision,
        benchmark,
        from,
        (time, uuid, None),
    )
    .map(drop)
}

/// Inserts a decision with its time, identifier and origin. Returns true if it is new.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    test: RowId,
    decision: &Decision,
    benchmark: Option<RowId>,
    from: Option<&TestId>,
    (time, uuid, origin): (i64, Uuid, Option<&str>),
) -> Result<bool, StoreProblem> {
    let inserted = execute(
        transaction,
        "INSERT OR IGNORE INTO decision
         (test, time, uuid, kind, reason, author, commit_id, branch, dirty, ci, benchmark,
          from_package, from_source, from_name, origin, replaces, through,
          arrived)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
        params![
            test,
            time,
            uuid.as_bytes(),
            decision.kind.as_str(),
            decision.reason,
            decision.author,
            decision.checkout.commit,
            decision.checkout.branch,
            decision.dirty,
            decision.ci,
            benchmark,
            from.map(|from| &from.package),
            from.map(|from| &from.source),
            from.map(|from| &from.name),
            origin,
            decision.replaces,
            decision.through.as_ref().map(Channel::to_string),
            decision.arrived
        ],
    )?;
    Ok(inserted > 0)
}

pub(super) fn record(row: &Row<'_>) -> Result<StoredDecision, StoreProblem> {
    let word: String = row.get(2)?;
    let kind = word.parse::<DecisionKind>();
    let kind = kind.map_err(|error| StoreProblem::Corrupt(error.into()))?;
    let benchmark: Option<[u8; 16]> = row.get(9)?;
    let through: Option<String> = row.get(15)?;
    let is_renamed = row.get::<_, Option<String>>(12)?.is_some();
    Ok(StoredDecision {
        uuid: uuid(row, 0)?,
        time: row.get(1)?,
        decision: Decision {
            kind,
            reason: row.get(3)?,
            author: row.get(4)?,
            checkout: Checkout {
                commit: row.get(5)?,
                branch: row.get(6)?,
            },
            dirty: row.get(7)?,
            ci: row.get(8)?,
            replaces: row.get(14)?,
            // A channel of a later version counts as unknown.
            through: through.and_then(|text| text.parse().ok()),
            arrived: row.get(16)?,
        },
        benchmark: benchmark.map(Uuid::from_bytes),
        renamed_from: is_renamed.then(|| history::test(row, 10)).transpose()?,
        origin: row.get(13)?,
    })
}
