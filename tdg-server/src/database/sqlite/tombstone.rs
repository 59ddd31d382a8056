//! Records that are stored as they are, and what was deleted, for those who have it too.

use rusqlite::{Connection, params};
use tdg_service::record::{Record, RecordKind, RevivalRecord, TombstoneRecord};
use tdg_service::{ObjectKind, ServiceObject, Timestamp, Uuid};

use super::error::SqliteResult;
use super::statement::{all, execute, first, uuid};
use crate::database::Account;
use crate::database::assertion_uuid;
use crate::database::records::{about, record_kind};

/// The tombstones of an object of a project that nobody has revived since.
const TOMBSTONES: &str = "SELECT uuid FROM record AS tombstone
     WHERE account = ?1 AND project = ?2 AND about = ?3 AND kind = 'tombstone' AND NOT EXISTS (
         SELECT 1 FROM record AS revival
         WHERE revival.account = tombstone.account AND revival.project = tombstone.project
             AND revival.about = tombstone.uuid AND revival.kind = 'revival')";

/// Whether an object of a project was deleted, and nobody has revived it.
pub(super) fn is_gone(
    connection: &Connection,
    account: Account,
    project: Uuid,
    identity: Uuid,
) -> SqliteResult<bool> {
    let params = params![account.0, project.as_bytes(), identity.as_bytes()];
    Ok(connection.prepare_cached(TOMBSTONES)?.exists(params)?)
}

/// Records that an object is there again, where it was deleted.
pub(super) fn revive(
    connection: &Connection,
    account: Account,
    project: Uuid,
    identity: Uuid,
) -> SqliteResult<()> {
    let params = params![account.0, project.as_bytes(), identity.as_bytes()];
    for tombstone in all(connection, TOMBSTONES, params, |row| uuid(row, 0))? {
        let revival = Record::Revival(RevivalRecord { tombstone });
        store(connection, account, project, &revival)?;
    }
    Ok(())
}

/// The project and identity of an object, if it has one.
pub(super) fn identity_of(
    connection: &Connection,
    account: Account,
    kind: ObjectKind,
    object: Uuid,
) -> SqliteResult<Option<(Uuid, Uuid)>> {
    let sql = match kind {
        ObjectKind::Project => "SELECT uuid, uuid FROM project WHERE account = ?1 AND uuid = ?2",
        ObjectKind::Definition => {
            "SELECT project, identity FROM definition
             WHERE account = ?1 AND uuid = ?2 AND identity IS NOT NULL"
        }
        ObjectKind::Ensemble => {
            "SELECT definition.project, ensemble.identity
             FROM ensemble CROSS JOIN definition ON definition.account = ensemble.account
                 AND definition.uuid = ensemble.definition
             WHERE ensemble.account = ?1 AND ensemble.uuid = ?2 AND ensemble.identity IS NOT NULL"
        }
        _ => {
            "SELECT definition.project, benchmark.identity
             FROM benchmark CROSS JOIN definition ON definition.account = benchmark.account
                 AND definition.uuid = benchmark.definition
             WHERE benchmark.account = ?1 AND benchmark.uuid = ?2
                 AND benchmark.identity IS NOT NULL"
        }
    };
    let params = params![account.0, object.as_bytes()];
    first(connection, sql, params, |row| {
        Ok((uuid(row, 0)?, uuid(row, 1)?))
    })
}

/// The kind and project of whatever has an identity, a test or a decision if the project has it.
pub(super) fn whereabouts(
    connection: &Connection,
    account: Account,
    project: Uuid,
    identity: Uuid,
) -> SqliteResult<Option<(RecordKind, Uuid)>> {
    let sql = "SELECT 'project', uuid FROM project WHERE account = ?1 AND uuid = ?3
         UNION ALL
         SELECT 'definition', project FROM definition WHERE account = ?1 AND identity = ?3
         UNION ALL
         SELECT 'ensemble', definition.project
         FROM ensemble CROSS JOIN definition ON definition.account = ensemble.account
             AND definition.uuid = ensemble.definition
         WHERE ensemble.account = ?1 AND ensemble.identity = ?3
         UNION ALL
         SELECT 'benchmark', definition.project
         FROM benchmark CROSS JOIN definition ON definition.account = benchmark.account
             AND definition.uuid = benchmark.definition
         WHERE benchmark.account = ?1 AND benchmark.identity = ?3
         UNION ALL
         SELECT kind, project FROM record
         WHERE account = ?1 AND project = ?2 AND kind IN ('test', 'decision') AND uuid = ?3
         LIMIT 1";
    let params = params![account.0, project.as_bytes(), identity.as_bytes()];
    let found = first(connection, sql, params, |row| {
        Ok((row.get::<_, String>(0)?, uuid(row, 1)?))
    })?;
    Ok(found.and_then(|(kind, project)| Some((kind.parse().ok()?, project))))
}

/// The objects with that identity.
pub(super) fn objects(
    connection: &Connection,
    account: Account,
    kind: ObjectKind,
    identity: Uuid,
) -> SqliteResult<Vec<Uuid>> {
    let sql = match kind {
        ObjectKind::Project => "SELECT uuid FROM project WHERE account = ?1 AND uuid = ?2",
        ObjectKind::Definition => {
            "SELECT uuid FROM definition WHERE account = ?1 AND identity = ?2"
        }
        ObjectKind::Ensemble => "SELECT uuid FROM ensemble WHERE account = ?1 AND identity = ?2",
        _ => "SELECT uuid FROM benchmark WHERE account = ?1 AND identity = ?2",
    };
    let params = params![account.0, identity.as_bytes()];
    all(connection, sql, params, |row| uuid(row, 0))
}

/// Records that an object was deleted, unless another one has its identity.
pub(super) fn bury_record(
    connection: &Connection,
    account: Account,
    kind: ObjectKind,
    (project, identity): (Uuid, Uuid),
    now: Timestamp,
) -> SqliteResult<()> {
    if !objects(connection, account, kind, identity)?.is_empty() {
        return Ok(());
    }
    let tombstone = Record::Tombstone(TombstoneRecord {
        uuid: assertion_uuid(now),
        of: record_kind(kind),
        object: identity,
        deleted: now,
    });
    store(connection, account, project, &tombstone).map(drop)
}

/// Whether it wasn't there.
pub(super) fn store(
    connection: &Connection,
    account: Account,
    project: Uuid,
    record: &Record,
) -> SqliteResult<bool> {
    let sql = "INSERT OR IGNORE INTO record (account, project, kind, uuid, about, body)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let (uuid, about) = (record.uuid(), about(record));
    let params = params![
        account.0,
        project.as_bytes(),
        record.kind().as_str(),
        uuid.as_bytes(),
        about.as_ref().map(|about| about.as_bytes()),
        record.to_json()
    ];
    Ok(execute(connection, sql, params)? > 0)
}
