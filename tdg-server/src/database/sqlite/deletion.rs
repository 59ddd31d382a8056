//! Deleting an object with all beneath it. What is large or many (assertions, outputs, rows) is
//! only named as garbage, which nothing finds any more.

use rusqlite::{Connection, params};
use tdg_service::{ObjectKind, Timestamp, Uuid};

use super::error::SqliteResult;
use super::statement::{execute, require};
use super::tombstone::{bury_record, identity_of};
use crate::database::Account;

/// The statements for the object `?2` of the account `?1`, deleted at `?3`.
struct Statements {
    /// Name what belongs to the benchmarks and ensembles.
    garbage: Vec<&'static str>,
    /// The innermost first, the object itself last.
    rows: Vec<&'static str>,
}

macro_rules! statements {
    ($($table:literal $within:literal),* $(,)?) => {
        Statements {
            garbage: vec![$(concat!(
                "INSERT INTO garbage (account, kind, uuid, deleted)
                 SELECT account, large.kind, uuid, ?3 FROM ", $table, " CROSS JOIN (
                     SELECT 'benchmark' AS owner, 'assertion' AS kind
                     UNION ALL SELECT 'benchmark', 'outputs'
                     UNION ALL SELECT 'ensemble', 'packed_rows'
                 ) AS large ON large.owner = '", $table, "'
                 WHERE account = ?1 AND ", $within
            )),*],
            rows: vec![$(concat!("DELETE FROM ", $table, " WHERE account = ?1 AND ", $within)),*],
        }
    };
}

fn statements(kind: ObjectKind) -> Statements {
    match kind {
        ObjectKind::Benchmark => statements!["benchmark" "uuid = ?2"],
        ObjectKind::Ensemble => statements!["benchmark" "ensemble = ?2", "ensemble" "uuid = ?2"],
        ObjectKind::Definition => statements![
            "benchmark"
            "ensemble IN (SELECT uuid FROM ensemble WHERE account = ?1 AND definition = ?2)",
            "ensemble" "definition = ?2",
            "definition" "uuid = ?2",
        ],
        ObjectKind::Project => statements![
            "benchmark"
            "ensemble IN (
                 SELECT ensemble.uuid FROM definition
                 CROSS JOIN ensemble ON ensemble.account = definition.account
                     AND ensemble.definition = definition.uuid
                 WHERE definition.account = ?1 AND definition.project = ?2)",
            "ensemble"
            "definition IN (SELECT uuid FROM definition WHERE account = ?1 AND project = ?2)",
            "definition" "project = ?2",
            "project" "uuid = ?2",
        ],
        // No other kind is stored.
        _ => statements![],
    }
}

/// Deletes an object that the account has, or says that it has none.
pub(super) fn delete(
    connection: &Connection,
    account: Account,
    kind: ObjectKind,
    uuid: Uuid,
) -> SqliteResult<()> {
    let deleted = bury(connection, account, kind, uuid)?;
    require(deleted.then_some(()), kind, uuid)
}

/// Whether it was there. Those who have it too are told when they synchronise.
pub(super) fn bury(
    connection: &Connection,
    account: Account,
    kind: ObjectKind,
    uuid: Uuid,
) -> SqliteResult<bool> {
    let identity = identity_of(connection, account, kind, uuid)?;
    let now = Timestamp::now();
    if !remove(connection, account, kind, uuid, now)? {
        return Ok(false);
    }
    let sql = "INSERT OR IGNORE INTO tombstone (account, uuid, kind, deleted)
         VALUES (?1, ?2, ?3, ?4)";
    let params = params![account.0, uuid.as_bytes(), kind.name(), now.as_micros()];
    execute(connection, sql, params)?;
    if let Some(identity) = identity {
        bury_record(connection, account, kind, identity, now)?;
    }
    Ok(true)
}

/// Removes the rows of an object, and all beneath. Whether it was there.
pub(super) fn remove(
    connection: &Connection,
    account: Account,
    kind: ObjectKind,
    uuid: Uuid,
    now: Timestamp,
) -> SqliteResult<bool> {
    let statements = statements(kind);
    for sql in statements.garbage {
        let params = params![account.0, uuid.as_bytes(), now.as_micros()];
        execute(connection, sql, params)?;
    }
    if kind == ObjectKind::Project {
        // What was deleted is still told.
        let sql = "DELETE FROM record WHERE account = ?1 AND project = ?2
             AND kind IN ('test', 'decision')";
        execute(connection, sql, params![account.0, uuid.as_bytes()])?;
    }
    let mut written = 0;
    for sql in statements.rows {
        written = execute(connection, sql, params![account.0, uuid.as_bytes()])?;
    }
    Ok(written > 0)
}
