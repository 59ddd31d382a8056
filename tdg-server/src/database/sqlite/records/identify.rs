//! Identities of objects that the interface's endpoints have created.

use rusqlite::{Connection, params};
use tdg_service::Uuid;
use tdg_service::record::identity;

use super::super::error::SqliteResult;
use super::super::statement::{all, execute, size, uuid};
use super::super::{LockedConnection, done, session};
use crate::database::Account;
use crate::database::records::IDENTIFIED;
use crate::database::tombstone::revive;

/// Definitions of the project `?2`.
const DEFINITIONS: &str = "SELECT uuid, text FROM definition
     WHERE account = ?1 AND project = ?2 AND identity IS NULL LIMIT ?3";

/// Ensembles whose definitions have an identity.
const ENSEMBLES: &str = "SELECT ensemble.uuid, definition.identity, ensemble.seed, ensemble.size,
         ensemble.sampler_version
     FROM definition CROSS JOIN ensemble ON ensemble.account = definition.account
         AND ensemble.definition = definition.uuid
     WHERE definition.account = ?1 AND definition.project = ?2
         AND definition.identity IS NOT NULL AND ensemble.identity IS NULL LIMIT ?3";

/// Benchmarks whose ensembles have one.
const BENCHMARKS: &str = "SELECT benchmark.uuid, ensemble.identity, benchmark.digest
     FROM definition CROSS JOIN ensemble ON ensemble.account = definition.account
         AND ensemble.definition = definition.uuid
     CROSS JOIN benchmark ON benchmark.account = ensemble.account
         AND benchmark.ensemble = ensemble.uuid
     WHERE definition.account = ?1 AND definition.project = ?2
         AND ensemble.identity IS NOT NULL AND benchmark.identity IS NULL LIMIT ?3";

/// Whether objects of the project have no identity.
pub(super) fn is_needed(
    connection: &Connection,
    account: Account,
    project: Uuid,
) -> SqliteResult<bool> {
    for sql in [DEFINITIONS, ENSEMBLES, BENCHMARKS] {
        let params = params![account.0, project.as_bytes(), 1];
        if connection.prepare_cached(sql)?.exists(params)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Gives some of them one, the outermost first. Whether there may be more.
pub(super) fn some(
    connection: &LockedConnection<'_>,
    account: Account,
    project: Uuid,
) -> SqliteResult<bool> {
    let params = params![account.0, project.as_bytes(), IDENTIFIED];
    let definitions = all(connection, DEFINITIONS, params, |row| {
        let text: String = row.get(1)?;
        Ok((uuid(row, 0)?, identity::definition(project, &text)))
    })?;
    let sql = "UPDATE definition SET identity = ?3 WHERE account = ?1 AND uuid = ?2";
    let mut changed = set(connection, account, project, sql, definitions)?;
    let ensembles = all(connection, ENSEMBLES, params, |row| {
        let (definition, seed) = (uuid(row, 1)?, row.get::<_, i64>(2)?.cast_unsigned());
        let identity = identity::ensemble(definition, seed, size(row, 3)?, row.get(4)?);
        Ok((uuid(row, 0)?, identity))
    })?;
    let sql = "UPDATE ensemble SET identity = ?3 WHERE account = ?1 AND uuid = ?2";
    changed |= set(connection, account, project, sql, ensembles)?;
    let benchmarks = all(connection, BENCHMARKS, params, |row| {
        let digest: String = row.get(2)?;
        Ok((uuid(row, 0)?, identity::benchmark(uuid(row, 1)?, &digest)))
    })?;
    let sql = "UPDATE benchmark SET identity = ?3 WHERE account = ?1 AND uuid = ?2";
    changed |= set(connection, account, project, sql, benchmarks)?;
    Ok(changed)
}

/// Whether there were any.
fn set(
    connection: &LockedConnection<'_>,
    account: Account,
    project: Uuid,
    sql: &str,
    identities: Vec<(Uuid, Uuid)>,
) -> SqliteResult<bool> {
    for (uuid, identity) in &identities {
        let params = params![account.0, uuid.as_bytes(), identity.as_bytes()];
        execute(connection, sql, params)?;
        done(revive(session(connection), account, project, &[*identity]))?;
    }
    Ok(!identities.is_empty())
}
