//! The rows of ensembles, packed.

use super::error::DbResult;
use super::find as stored;
use crate::database::Account;
use rusqlite::{Connection, OptionalExtension};
use tdg_service::{Kind, ServiceError, Uuid};

use crate::packed_rows::PackedRows;

/// What identifies the rows of an ensemble.
pub(super) fn digest(
    connection: &Connection,
    account: Account,
    ensemble: Uuid,
) -> DbResult<String> {
    let found = connection
        .prepare_cached(
            "SELECT ensemble.digest
             FROM ensemble JOIN definition ON definition.id = ensemble.definition
             JOIN project ON project.id = definition.project
             WHERE ensemble.uuid = ?1 AND project.account = ?2",
        )?
        .query_row((ensemble.as_bytes(), account.0), |row| row.get(0))
        .optional()?;
    Ok(found.ok_or(ServiceError::NotFound(Kind::Ensemble, ensemble))?)
}

/// Those of an ensemble. A file that test runs have written too has ensembles without.
pub(super) fn find(
    connection: &Connection,
    account: Account,
    ensemble: Uuid,
) -> DbResult<PackedRows> {
    let found: Option<Vec<u8>> = connection
        .prepare_cached(
            "SELECT packed_rows.gzip
             FROM ensemble JOIN packed_rows ON packed_rows.ensemble = ensemble.id
             JOIN definition ON definition.id = ensemble.definition
             JOIN project ON project.id = definition.project
             WHERE ensemble.uuid = ?1 AND project.account = ?2",
        )?
        .query_row((ensemble.as_bytes(), account.0), |row| row.get(0))
        .optional()?;
    match found {
        Some(gzip) => Ok(PackedRows::from_gzip(gzip)),
        None => Ok(PackedRows::pack(&stored::vectors(
            connection, account, ensemble,
        )?)),
    }
}

/// Keeps those of an ensemble that was just made, or was made before by the same request.
pub(super) fn keep(connection: &Connection, ensemble: Uuid, rows: &PackedRows) -> DbResult<()> {
    let sql = "INSERT OR IGNORE INTO packed_rows (ensemble, gzip)
         SELECT id, ?2 FROM ensemble WHERE uuid = ?1";
    let gzip: &[u8] = rows.gzip();
    connection
        .prepare_cached(sql)?
        .execute((ensemble.as_bytes(), gzip))?;
    Ok(())
}
