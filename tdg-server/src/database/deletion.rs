//! Deleting an object with all beneath it. What is large or many (assertions, outputs, rows) is
//! only named as garbage, which nothing finds any more.

use tdg_service::{ObjectKind, Timestamp, Uuid};

use super::error::DatabaseResult;
use super::session::{DatabaseSession, require};
use super::sql::{Sql, SqlValues, sql};
use super::tombstone::{bury_record, identity_of};

/// The rows of a table that are deleted (`$1` is the account, `$2` the object that was asked for).
struct Removal {
    /// Names what belongs to them (`$3` is now). On PostgreSQL it deletes them too.
    garbage: Option<Sql>,
    rows: Sql,
}

macro_rules! removal {
    ($table:literal, $within:literal) => {
        Removal {
            garbage: None,
            rows: sql!("DELETE FROM ", $table, " WHERE account = $1 AND ", $within),
        }
    };
    ($table:literal, $within:literal, garbage: $large:literal) => {
        Removal {
            garbage: Some(sql!(
                postgres: concat!(
                    "WITH gone AS (DELETE FROM ", $table, " WHERE account = $1 AND ", $within,
                    " RETURNING account, uuid) ", garbage!($large)
                ),
                sqlite: concat!(
                    "WITH gone AS (SELECT account, uuid FROM ", $table, " WHERE account = $1 AND ",
                    $within, ") ", garbage!($large)
                )
            )),
            ..removal!($table, $within)
        }
    };
}

macro_rules! garbage {
    ($large:literal) => {
        concat!(
            "INSERT INTO garbage (account, kind, uuid, deleted)
             SELECT gone.account, large.kind, gone.uuid, $3 FROM gone CROSS JOIN (",
            $large,
            ") AS large"
        )
    };
}

macro_rules! benchmarks {
    ($within:literal) => {
        removal!(
            "benchmark", $within,
            garbage: "SELECT 'assertion' AS kind UNION ALL SELECT 'outputs'"
        )
    };
}

macro_rules! ensembles {
    ($within:literal) => {
        removal!("ensemble", $within, garbage: "SELECT 'packed_rows' AS kind")
    };
}

/// What to delete, the innermost first and the object itself last.
fn removals(kind: ObjectKind) -> &'static [Removal] {
    match kind {
        ObjectKind::Benchmark => const { &[benchmarks!("uuid = $2")] },
        ObjectKind::Ensemble => const { &[benchmarks!("ensemble = $2"), ensembles!("uuid = $2")] },
        ObjectKind::Definition => {
            const {
                &[
                    benchmarks!(
                        "ensemble IN (
                         SELECT uuid FROM ensemble WHERE account = $1 AND definition = $2)"
                    ),
                    ensembles!("definition = $2"),
                    removal!("definition", "uuid = $2"),
                ]
            }
        }
        ObjectKind::Project => {
            const {
                &[
                    benchmarks!(
                        "ensemble IN (
                         SELECT uuid FROM ensemble WHERE account = $1 AND definition IN (
                             SELECT uuid FROM definition WHERE account = $1 AND project = $2))"
                    ),
                    ensembles!(
                        "definition IN (
                         SELECT uuid FROM definition WHERE account = $1 AND project = $2)"
                    ),
                    removal!("definition", "project = $2"),
                    // What was deleted is still told.
                    removal!("record", "project = $2 AND kind IN ('test', 'decision')"),
                    removal!("project", "uuid = $2"),
                ]
            }
        }
        // No other kind is stored.
        _ => &[],
    }
}

/// Deletes an object that the account has, or says that it has none.
pub(super) async fn delete(
    session: DatabaseSession<'_>,
    kind: ObjectKind,
    uuid: Uuid,
) -> DatabaseResult<()> {
    let deleted = bury(session, (kind, uuid), removals(kind)).await?;
    require(deleted.then_some(()), kind, uuid)
}

/// Deletes an object that nothing is in. If there is, this fails, and all is retried. Whether it
/// was there.
pub(super) async fn delete_empty(
    session: DatabaseSession<'_>,
    kind: ObjectKind,
    uuid: Uuid,
) -> DatabaseResult<bool> {
    let object = removals(kind).last().map(std::slice::from_ref);
    bury(session, (kind, uuid), object.unwrap_or_default()).await
}

/// Whether it was there. What another request adds between two statements makes the later one fail,
/// and all is retried. Those who have it too are told when they synchronise.
async fn bury(
    session: DatabaseSession<'_>,
    (kind, uuid): (ObjectKind, Uuid),
    removals: &[Removal],
) -> DatabaseResult<bool> {
    let identity = identity_of(session, kind, uuid).await?;
    let now = Timestamp::now();
    if !run(session, uuid, removals, now).await? {
        return Ok(false);
    }
    let sql = sql!(
        "INSERT INTO tombstone (account, uuid, deleted, kind) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING"
    );
    let values: SqlValues<'_> = &[&uuid, &now.as_micros(), &kind.name()];
    session.execute(sql, values).await?;
    if let Some(identity) = identity {
        bury_record(session, kind, identity, now).await?;
    }
    Ok(true)
}

/// Removes the rows of an object, and all beneath.
pub(super) async fn remove(
    session: DatabaseSession<'_>,
    kind: ObjectKind,
    uuid: Uuid,
) -> DatabaseResult<()> {
    let removed = run(session, uuid, removals(kind), Timestamp::now());
    removed.await.map(drop)
}

/// Whether the last of them has removed anything.
async fn run(
    session: DatabaseSession<'_>,
    uuid: Uuid,
    removals: &[Removal],
    now: Timestamp,
) -> DatabaseResult<bool> {
    let mut removed = 0;
    for Removal { garbage, rows } in removals {
        if let Some(garbage) = garbage {
            let values: SqlValues<'_> = &[&uuid, &now.as_micros()];
            removed = session.execute(*garbage, values).await?;
        }
        if garbage.is_none() || session.is_sqlite() {
            removed = session.execute(*rows, &[&uuid]).await?;
        }
    }
    Ok(removed > 0)
}
