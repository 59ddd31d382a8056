//! Deleting an object with all beneath it. What is large or many (assertions, outputs, rows) is
//! only named as garbage, which nothing finds any more.

use deadpool_postgres::Transaction;
use tdg_service::{ObjectKind, Timestamp, Uuid};

use super::error::PostgresResult;
use super::statement::{Param, execute, require};
use super::tombstone::{bury_record, identity_of};
use crate::database::Account;

/// Deletes the benchmarks (`$1` is the account, `$2` the object that was asked for, `$3` now).
macro_rules! benchmarks {
    ($within:literal) => {
        concat!(
            "WITH gone AS (DELETE FROM benchmark WHERE account = $1 AND ",
            $within,
            " RETURNING account, uuid)
             INSERT INTO garbage (account, kind, uuid, deleted)
             SELECT gone.account, large.kind, gone.uuid, $3
             FROM gone CROSS JOIN (VALUES ('assertion'), ('outputs')) AS large (kind)"
        )
    };
}

macro_rules! ensembles {
    ($within:literal) => {
        concat!(
            "WITH gone AS (DELETE FROM ensemble WHERE account = $1 AND ",
            $within,
            " RETURNING account, uuid)
             INSERT INTO garbage (account, kind, uuid, deleted)
             SELECT account, 'packed_rows', uuid, $3 FROM gone"
        )
    };
}

/// What to delete, the innermost first and the object itself last: those that leave garbage, and
/// the others.
fn statements(kind: ObjectKind) -> (&'static [&'static str], &'static [&'static str]) {
    match kind {
        ObjectKind::Benchmark => (&[benchmarks!("uuid = $2")], &[]),
        ObjectKind::Ensemble => (
            &[benchmarks!("ensemble = $2"), ensembles!("uuid = $2")],
            &[],
        ),
        ObjectKind::Definition => (
            &[
                benchmarks!(
                    "ensemble IN (
                         SELECT uuid FROM ensemble WHERE account = $1 AND definition = $2)"
                ),
                ensembles!("definition = $2"),
            ],
            &["DELETE FROM definition WHERE account = $1 AND uuid = $2"],
        ),
        ObjectKind::Project => (
            &[
                benchmarks!(
                    "ensemble IN (
                         SELECT ensemble.uuid FROM definition
                         JOIN ensemble ON ensemble.account = definition.account
                             AND ensemble.definition = definition.uuid
                         WHERE definition.account = $1 AND definition.project = $2)"
                ),
                ensembles!(
                    "definition IN (
                         SELECT uuid FROM definition WHERE account = $1 AND project = $2)"
                ),
            ],
            &[
                "DELETE FROM definition WHERE account = $1 AND project = $2",
                // What was deleted is still told.
                "DELETE FROM record WHERE account = $1 AND project = $2
                     AND kind IN ('test', 'decision')",
                "DELETE FROM project WHERE account = $1 AND uuid = $2",
            ],
        ),
        // No other kind is stored.
        _ => (&[], &[]),
    }
}

/// Deletes an object that the account has, or says that it has none.
pub(super) async fn delete(
    transaction: &Transaction<'_>,
    account: Account,
    kind: ObjectKind,
    uuid: Uuid,
) -> PostgresResult<()> {
    let deleted = bury(transaction, account, kind, uuid).await?;
    require(deleted.then_some(()), kind, uuid)
}

/// Whether it was there. What another request adds between two statements makes the later one fail,
/// and all is retried. Those who have it too are told when they synchronise.
async fn bury(
    transaction: &Transaction<'_>,
    account: Account,
    kind: ObjectKind,
    uuid: Uuid,
) -> PostgresResult<bool> {
    let identity = identity_of(transaction, account, kind, uuid).await?;
    let now = Timestamp::now();
    let deleted = remove(transaction, account, kind, uuid, now).await?;
    if deleted {
        raise_tombstone(transaction, account, (kind, uuid), identity, now).await?;
    }
    Ok(deleted)
}

/// Removes the rows of an object, and all beneath. Whether it was there.
pub(super) async fn remove(
    transaction: &Transaction<'_>,
    account: Account,
    kind: ObjectKind,
    uuid: Uuid,
    now: Timestamp,
) -> PostgresResult<bool> {
    let now = now.as_micros();
    let (large, small) = statements(kind);
    let mut written = 0;
    for sql in large {
        written = execute(transaction, sql, &[&account.0, &uuid, &now]).await?;
    }
    for sql in small {
        written = execute(transaction, sql, &[&account.0, &uuid]).await?;
    }
    Ok(written > 0)
}

/// The same as [`bury`] for an object that nothing is in. If there is, this fails, and all is
/// retried.
pub(super) async fn bury_empty(
    transaction: &Transaction<'_>,
    account: Account,
    kind: ObjectKind,
    uuid: Uuid,
) -> PostgresResult<bool> {
    let identity = identity_of(transaction, account, kind, uuid).await?;
    let now = Timestamp::now();
    let at = now.as_micros();
    let written = match statements(kind) {
        ([.., sql], []) => execute(transaction, sql, &[&account.0, &uuid, &at]).await?,
        (_, [.., sql]) => execute(transaction, sql, &[&account.0, &uuid]).await?,
        ([], []) => 0,
    };
    if written > 0 {
        raise_tombstone(transaction, account, (kind, uuid), identity, now).await?;
    }
    Ok(written > 0)
}

async fn raise_tombstone(
    transaction: &Transaction<'_>,
    account: Account,
    (kind, uuid): (ObjectKind, Uuid),
    identity: Option<(Uuid, Uuid)>,
    now: Timestamp,
) -> PostgresResult<()> {
    let sql = "INSERT INTO tombstone (account, uuid, deleted, kind) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING";
    let params: [Param<'_>; 4] = [&account.0, &uuid, &now.as_micros(), &kind.name()];
    execute(transaction, sql, &params).await?;
    match identity {
        Some(identity) => bury_record(transaction, account, kind, identity, now).await,
        None => Ok(()),
    }
}
