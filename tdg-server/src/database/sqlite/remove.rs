//! Deleting something, and with it all that belongs to it.

use rusqlite::{Connection, params};
use uuid::Uuid;

use super::error::DbResult;
use super::statement::execute;
use crate::database::Account;
use tdg_service::{Kind, ServiceError};

/// Deletes a project.
///
/// # Errors
///
/// [`NotFound`](ServiceError::NotFound), and when the database fails; so it is for all of them.
pub(super) fn project(connection: &Connection, account: Account, project: Uuid) -> DbResult<()> {
    let sql = "DELETE FROM project WHERE uuid = ?1 AND account = ?2";
    remove(connection, account, sql, Kind::Project, project)
}

/// Deletes a definition.
pub(super) fn definition(
    connection: &Connection,
    account: Account,
    definition: Uuid,
) -> DbResult<()> {
    let sql = "DELETE FROM definition WHERE uuid = ?1 AND EXISTS (
             SELECT 1 FROM project WHERE project.id = definition.project AND account = ?2)";
    remove(connection, account, sql, Kind::Definition, definition)
}

/// Deletes an ensemble.
pub(super) fn ensemble(connection: &Connection, account: Account, ensemble: Uuid) -> DbResult<()> {
    let sql = "DELETE FROM ensemble WHERE uuid = ?1 AND EXISTS (
             SELECT 1 FROM definition JOIN project ON project.id = definition.project
             WHERE definition.id = ensemble.definition AND account = ?2)";
    remove(connection, account, sql, Kind::Ensemble, ensemble)
}

/// Deletes a benchmark.
pub(super) fn benchmark(
    connection: &Connection,
    account: Account,
    benchmark: Uuid,
) -> DbResult<()> {
    let sql = "DELETE FROM benchmark WHERE uuid = ?1 AND EXISTS (
             SELECT 1 FROM ensemble JOIN definition ON definition.id = ensemble.definition
             JOIN project ON project.id = definition.project
             WHERE ensemble.id = benchmark.ensemble AND account = ?2)";
    remove(connection, account, sql, Kind::Benchmark, benchmark)
}

fn remove(
    connection: &Connection,
    account: Account,
    sql: &str,
    kind: Kind,
    uuid: Uuid,
) -> DbResult<()> {
    match execute(connection, sql, params![uuid.as_bytes(), account.0])? {
        0 => Err(ServiceError::NotFound(kind, uuid).into()),
        _ => Ok(()),
    }
}
