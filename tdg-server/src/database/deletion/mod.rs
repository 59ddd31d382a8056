//! Deletes an object along with its children. Their rows move to the tables of deleted objects
//! (`deleted_…`), which only the queries of this folder use. Large or numerous data (assertions,
//! outputs, rows) isn't moved: without its owner, no query finds it.

mod list;
mod purge;
mod tables;
mod undo;

use tdg_service::{ObjectKind, Result, Timestamp, Uuid};

pub(crate) use self::list::Deletion;
use self::purge::purge;
use self::tables::columns;
use super::error::DatabaseResult;
use super::session::{DatabaseSession, require};
use super::sql::{Sql, SqlValues, sql};
use super::tombstone::{bury_record, identity_of};
use super::{Database, Deleter, timed_uuid};
use crate::account::Account;

/// Moves rows of a table to the matching table of deleted objects (`$1` is the account, `$2` the
/// requested object, `$3` the deletion). On SQLite this copies the rows, and `rows` deletes them.
struct Removal {
    keep: Sql,
    rows: Sql,
}

macro_rules! removal {
    ($table:tt, $within:literal) => {
        Removal {
            keep: sql!(
                postgres: concat!(
                    "WITH gone AS (DELETE FROM ", $table, " WHERE account = $1 AND ", $within,
                    " RETURNING ", columns!($table), ") INSERT INTO deleted_", $table,
                    " (deletion, ", columns!($table), ") SELECT $3, ", columns!($table), " FROM gone"
                ),
                sqlite: concat!(
                    "INSERT INTO deleted_", $table, " (deletion, ", columns!($table),
                    ") SELECT $3, ", columns!($table), " FROM ", $table,
                    " WHERE account = $1 AND ", $within
                )
            ),
            rows: sql!("DELETE FROM ", $table, " WHERE account = $1 AND ", $within),
        }
    };
}

/// Returns the removals for a kind, innermost first. The object itself comes last.
fn removals(kind: ObjectKind) -> &'static [Removal] {
    match kind {
        ObjectKind::Benchmark => const { &[removal!("benchmark", "uuid = $2")] },
        ObjectKind::Ensemble => {
            const {
                &[
                    removal!("benchmark", "ensemble = $2"),
                    removal!("ensemble", "uuid = $2"),
                ]
            }
        }
        ObjectKind::Definition => {
            const {
                &[
                    removal!(
                        "benchmark",
                        "ensemble IN (
                         SELECT uuid FROM ensemble WHERE account = $1 AND definition = $2)"
                    ),
                    removal!("ensemble", "definition = $2"),
                    removal!("definition", "uuid = $2"),
                ]
            }
        }
        ObjectKind::Project => {
            const {
                &[
                    removal!(
                        "benchmark",
                        "ensemble IN (
                         SELECT uuid FROM ensemble WHERE account = $1 AND definition IN (
                             SELECT uuid FROM definition WHERE account = $1 AND project = $2))"
                    ),
                    removal!(
                        "ensemble",
                        "definition IN (
                         SELECT uuid FROM definition WHERE account = $1 AND project = $2)"
                    ),
                    removal!("definition", "project = $2"),
                    // Tombstones remain, so that clients learn of the deletion.
                    removal!("record", "project = $2 AND kind IN ('test', 'decision')"),
                    removal!("project", "uuid = $2"),
                ]
            }
        }
        // Objects of other kinds aren't stored.
        _ => &[],
    }
}

impl Database {
    /// Deletes an object along with its children.
    pub(crate) async fn delete(
        &self,
        account: Account,
        object: (ObjectKind, Uuid),
        by: Deleter,
    ) -> Result<()> {
        self.write(account, 0, (object, by), |session, (object, by)| {
            Box::pin(delete(session, *object, by))
        })
        .await
    }
}

/// Deletes an object, or fails if the account doesn't have it.
async fn delete(
    session: DatabaseSession<'_>,
    (kind, uuid): (ObjectKind, Uuid),
    by: &Deleter,
) -> DatabaseResult<()> {
    let deletion = bury(session, (kind, uuid), removals(kind), by).await?;
    require(deletion.map(drop), kind, uuid)
}

/// Deletes an object without children, and keeps nothing of it. If it has any, this fails, and the
/// operation is retried. Returns true if the object existed.
pub(super) async fn delete_empty(
    session: DatabaseSession<'_>,
    kind: ObjectKind,
    uuid: Uuid,
) -> DatabaseResult<bool> {
    let object = removals(kind).last().map(std::slice::from_ref);
    let removals = object.unwrap_or_default();
    let deletion = bury(session, (kind, uuid), removals, &Deleter::default()).await?;
    if let Some(deletion) = deletion {
        purge(session, deletion).await?;
    }
    Ok(deletion.is_some())
}

/// Deletes an object and returns the deletion, if the object exists. If another request adds a
/// child in between, a statement fails and this is retried. Clients learn of it when they
/// synchronize.
async fn bury(
    session: DatabaseSession<'_>,
    (kind, uuid): (ObjectKind, Uuid),
    removals: &[Removal],
    by: &Deleter,
) -> DatabaseResult<Option<Uuid>> {
    let identity = identity_of(session, kind, uuid).await?;
    let now = Timestamp::now();
    let Some(deletion) = run(session, (kind, uuid), removals, (by, now)).await? else {
        return Ok(None);
    };
    let sql = sql!(
        "INSERT INTO tombstone (account, uuid, deleted, kind) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING"
    );
    let values: SqlValues<'_> = &[&uuid, &now.as_micros(), &kind.name()];
    session.execute(sql, values).await?;
    if let Some(identity) = identity {
        bury_record(session, kind, identity, now).await?;
    }
    Ok(Some(deletion))
}

/// Moves the rows of an object and its children.
pub(super) async fn remove(
    session: DatabaseSession<'_>,
    (kind, uuid): (ObjectKind, Uuid),
    by: &Deleter,
) -> DatabaseResult<()> {
    let by = (by, Timestamp::now());
    let removed = run(session, (kind, uuid), removals(kind), by).await;
    removed.map(drop)
}

/// Runs removals. Returns the deletion if the last of them has removed a row.
async fn run(
    session: DatabaseSession<'_>,
    (kind, uuid): (ObjectKind, Uuid),
    removals: &[Removal],
    (by, now): (&Deleter, Timestamp),
) -> DatabaseResult<Option<Uuid>> {
    let deletion = timed_uuid(now);
    let mut removed = 0;
    for Removal { keep, rows } in removals {
        removed = session.execute(*keep, &[&uuid, &deletion]).await?;
        if session.is_sqlite() {
            session.execute(*rows, &[&uuid]).await?;
        }
    }
    if removed == 0 {
        return Ok(None);
    }
    let sql = sql!(
        "INSERT INTO deletion (account, uuid, object, kind, deleted, key, address)
         VALUES ($1, $2, $3, $4, $5, $6, $7)"
    );
    let values: SqlValues<'_> = &[
        &deletion,
        &uuid,
        &kind.name(),
        &now.as_micros(),
        &by.key,
        &by.address,
    ];
    session.execute(sql, values).await?;
    Ok(Some(deletion))
}
