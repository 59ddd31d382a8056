//! Deleting an object with all beneath it. What is large or many (assertions, outputs, rows) is
//! only named as garbage, which nothing finds any more.

use deadpool_postgres::Transaction;
use tdg_service::{Kind, Timestamp, Uuid};

use super::error::DbResult;
use super::statement::{Param, execute, require_written};
use crate::database::Account;

/// Deletes the benchmarks (`$1` is the account, `$2` the object that was asked for).
macro_rules! benchmarks {
    ($within:literal) => {
        concat!(
            "WITH gone AS (DELETE FROM benchmark WHERE account = $1 AND ",
            $within,
            " RETURNING account, uuid)
             INSERT INTO garbage (account, kind, uuid)
             SELECT gone.account, large.kind, gone.uuid
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
             INSERT INTO garbage (account, kind, uuid)
             SELECT account, 'packed_rows', uuid FROM gone"
        )
    };
}

/// The innermost first, the object itself last.
fn statements(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Benchmark => &[benchmarks!("uuid = $2")],
        Kind::Ensemble => &[benchmarks!("ensemble = $2"), ensembles!("uuid = $2")],
        Kind::Definition => &[
            benchmarks!(
                "ensemble IN (SELECT uuid FROM ensemble WHERE account = $1 AND definition = $2)"
            ),
            ensembles!("definition = $2"),
            "DELETE FROM definition WHERE account = $1 AND uuid = $2",
        ],
        Kind::Project => &[
            benchmarks!(
                "ensemble IN (
                     SELECT ensemble.uuid FROM definition
                     JOIN ensemble ON ensemble.account = definition.account
                         AND ensemble.definition = definition.uuid
                     WHERE definition.account = $1 AND definition.project = $2)"
            ),
            ensembles!(
                "definition IN (SELECT uuid FROM definition WHERE account = $1 AND project = $2)"
            ),
            "DELETE FROM definition WHERE account = $1 AND project = $2",
            "DELETE FROM project WHERE account = $1 AND uuid = $2",
        ],
        // No other kind is stored.
        _ => &[],
    }
}

/// What another request adds between two statements makes the later one fail, and all is retried.
pub(super) async fn delete(
    transaction: &Transaction<'_>,
    account: Account,
    kind: Kind,
    uuid: Uuid,
) -> DbResult<()> {
    let mut written = 0;
    for sql in statements(kind) {
        written = execute(transaction, sql, &[&account.0, &uuid]).await?;
    }
    require_written(written, kind, uuid)?;
    let sql = "INSERT INTO tombstone (account, uuid, kind, deleted) VALUES ($1, $2, $3, $4)";
    let (kind, now) = (kind.name(), Timestamp::now().as_micros());
    let params: [Param<'_>; 4] = [&account.0, &uuid, &kind, &now];
    execute(transaction, sql, &params).await.map(drop)
}
