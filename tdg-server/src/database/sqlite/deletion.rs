//! Deleting an object with all beneath it. What is large or many (assertions, outputs, rows) is
//! only named as garbage, which nothing finds any more.

use rusqlite::{Connection, params};
use tdg_service::{Kind, Timestamp, Uuid};

use super::error::DbResult;
use super::statement::{execute, require_written};
use crate::database::Account;

/// Names what belongs to the benchmarks, and deletes them (`?1` is the account, `?2` the object
/// that was asked for).
macro_rules! benchmarks {
    ($within:literal) => {
        [
            concat!(
                "INSERT INTO garbage (account, kind, uuid)
                 SELECT account, column1, uuid
                 FROM benchmark CROSS JOIN (VALUES ('assertion'), ('outputs'))
                 WHERE account = ?1 AND ",
                $within
            ),
            concat!("DELETE FROM benchmark WHERE account = ?1 AND ", $within),
        ]
    };
}

macro_rules! ensembles {
    ($within:literal) => {
        [
            concat!(
                "INSERT INTO garbage (account, kind, uuid)
                 SELECT account, 'packed_rows', uuid FROM ensemble WHERE account = ?1 AND ",
                $within
            ),
            concat!("DELETE FROM ensemble WHERE account = ?1 AND ", $within),
        ]
    };
}

/// The innermost first, the object itself last.
fn statements(kind: Kind) -> Vec<&'static str> {
    match kind {
        Kind::Benchmark => benchmarks!("uuid = ?2").to_vec(),
        Kind::Ensemble => [benchmarks!("ensemble = ?2"), ensembles!("uuid = ?2")].concat(),
        Kind::Definition => [
            &benchmarks!(
                "ensemble IN (SELECT uuid FROM ensemble WHERE account = ?1 AND definition = ?2)"
            )[..],
            &ensembles!("definition = ?2"),
            &["DELETE FROM definition WHERE account = ?1 AND uuid = ?2"],
        ]
        .concat(),
        Kind::Project => [
            &benchmarks!(
                "ensemble IN (
                     SELECT ensemble.uuid FROM definition
                     CROSS JOIN ensemble ON ensemble.account = definition.account
                         AND ensemble.definition = definition.uuid
                     WHERE definition.account = ?1 AND definition.project = ?2)"
            )[..],
            &ensembles!(
                "definition IN (SELECT uuid FROM definition WHERE account = ?1 AND project = ?2)"
            ),
            &["DELETE FROM definition WHERE account = ?1 AND project = ?2"],
            &["DELETE FROM project WHERE account = ?1 AND uuid = ?2"],
        ]
        .concat(),
        // No other kind is stored.
        _ => Vec::new(),
    }
}

pub(super) fn delete(
    connection: &Connection,
    account: Account,
    kind: Kind,
    uuid: Uuid,
) -> DbResult<()> {
    let mut written = 0;
    for sql in statements(kind) {
        written = execute(connection, sql, params![account.0, uuid.as_bytes()])?;
    }
    require_written(written, kind, uuid)?;
    let sql = "INSERT INTO tombstone (account, uuid, kind, deleted) VALUES (?1, ?2, ?3, ?4)";
    let now = Timestamp::now().as_micros();
    let params = params![account.0, uuid.as_bytes(), kind.name(), now];
    execute(connection, sql, params).map(drop)
}
