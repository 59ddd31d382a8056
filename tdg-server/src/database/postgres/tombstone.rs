//! Records that are stored as they are, and what was deleted, for those who have it too.

use deadpool_postgres::{GenericClient, Transaction};
use tdg_service::record::{Record, RecordKind, RevivalRecord, TombstoneRecord};
use tdg_service::{ObjectKind, ServiceObject, Timestamp, Uuid};

use super::error::PostgresResult;
use super::statement::{Param, all, execute, first};
use crate::database::records::{about, record_kind};
use crate::database::{Account, assertion_uuid};

/// Those of the objects of a project that were deleted, and that nobody has revived.
pub(super) async fn gone(
    client: &impl GenericClient,
    account: Account,
    project: Uuid,
    identities: &[Uuid],
) -> PostgresResult<Vec<Uuid>> {
    let sql = "SELECT about FROM record AS tombstone
         WHERE account = $1 AND project = $2 AND about = ANY($3) AND kind = 'tombstone'
             AND NOT EXISTS (
                 SELECT 1 FROM record AS revival
                 WHERE revival.account = tombstone.account AND revival.project = tombstone.project
                     AND revival.about = tombstone.uuid AND revival.kind = 'revival')
         GROUP BY about";
    let rows = all(client, sql, &[&account.0, &project, &identities]).await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// Records that objects are there again, where they were deleted.
pub(super) async fn revive(
    client: &impl GenericClient,
    account: Account,
    project: Uuid,
    identities: &[Uuid],
) -> PostgresResult<()> {
    let sql = "SELECT uuid FROM record AS tombstone
         WHERE account = $1 AND project = $2 AND about = ANY($3) AND kind = 'tombstone'
             AND NOT EXISTS (
                 SELECT 1 FROM record AS revival
                 WHERE revival.account = tombstone.account AND revival.project = tombstone.project
                     AND revival.about = tombstone.uuid AND revival.kind = 'revival')";
    for row in all(client, sql, &[&account.0, &project, &identities]).await? {
        let tombstone = row.try_get(0)?;
        let revival = Record::Revival(RevivalRecord { tombstone });
        store(client, account, project, &revival).await?;
    }
    Ok(())
}

/// The project and identity of an object, if it has one.
pub(super) async fn identity_of(
    client: &impl GenericClient,
    account: Account,
    kind: ObjectKind,
    object: Uuid,
) -> PostgresResult<Option<(Uuid, Uuid)>> {
    let sql = match kind {
        ObjectKind::Project => "SELECT uuid, uuid FROM project WHERE account = $1 AND uuid = $2",
        ObjectKind::Definition => {
            "SELECT project, identity FROM definition
             WHERE account = $1 AND uuid = $2 AND identity IS NOT NULL"
        }
        ObjectKind::Ensemble => {
            "SELECT definition.project, ensemble.identity
             FROM ensemble JOIN definition ON definition.account = ensemble.account
                 AND definition.uuid = ensemble.definition
             WHERE ensemble.account = $1 AND ensemble.uuid = $2 AND ensemble.identity IS NOT NULL"
        }
        _ => {
            "SELECT definition.project, benchmark.identity
             FROM benchmark JOIN definition ON definition.account = benchmark.account
                 AND definition.uuid = benchmark.definition
             WHERE benchmark.account = $1 AND benchmark.uuid = $2
                 AND benchmark.identity IS NOT NULL"
        }
    };
    match first(client, sql, &[&account.0, &object]).await? {
        Some(row) => Ok(Some((row.try_get(0)?, row.try_get(1)?))),
        None => Ok(None),
    }
}

/// The kind and project of whatever has an identity, a test or a decision if the project has it.
pub(super) async fn whereabouts(
    client: &impl GenericClient,
    account: Account,
    project: Uuid,
    identity: Uuid,
) -> PostgresResult<Option<(RecordKind, Uuid)>> {
    let sql = "SELECT 'project', uuid FROM project WHERE account = $1 AND uuid = $3
         UNION ALL
         SELECT 'definition', project FROM definition WHERE account = $1 AND identity = $3
         UNION ALL
         SELECT 'ensemble', definition.project
         FROM ensemble JOIN definition ON definition.account = ensemble.account
             AND definition.uuid = ensemble.definition
         WHERE ensemble.account = $1 AND ensemble.identity = $3
         UNION ALL
         SELECT 'benchmark', definition.project
         FROM benchmark JOIN definition ON definition.account = benchmark.account
             AND definition.uuid = benchmark.definition
         WHERE benchmark.account = $1 AND benchmark.identity = $3
         UNION ALL
         SELECT kind, project FROM record
         WHERE account = $1 AND project = $2 AND kind IN ('test', 'decision') AND uuid = $3
         LIMIT 1";
    let Some(row) = first(client, sql, &[&account.0, &project, &identity]).await? else {
        return Ok(None);
    };
    let (kind, project): (&str, Uuid) = (row.try_get(0)?, row.try_get(1)?);
    Ok(kind.parse().ok().map(|kind| (kind, project)))
}

/// The objects with that identity.
pub(super) async fn objects(
    client: &impl GenericClient,
    account: Account,
    kind: ObjectKind,
    identity: Uuid,
) -> PostgresResult<Vec<Uuid>> {
    let sql = match kind {
        ObjectKind::Project => "SELECT uuid FROM project WHERE account = $1 AND uuid = $2",
        ObjectKind::Definition => {
            "SELECT uuid FROM definition WHERE account = $1 AND identity = $2"
        }
        ObjectKind::Ensemble => "SELECT uuid FROM ensemble WHERE account = $1 AND identity = $2",
        _ => "SELECT uuid FROM benchmark WHERE account = $1 AND identity = $2",
    };
    let rows = all(client, sql, &[&account.0, &identity]).await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// Records that an object was deleted, unless another one has its identity.
pub(super) async fn bury_record(
    transaction: &Transaction<'_>,
    account: Account,
    kind: ObjectKind,
    (project, identity): (Uuid, Uuid),
    now: Timestamp,
) -> PostgresResult<()> {
    if !objects(transaction, account, kind, identity)
        .await?
        .is_empty()
    {
        return Ok(());
    }
    let tombstone = Record::Tombstone(TombstoneRecord {
        uuid: assertion_uuid(now),
        of: record_kind(kind),
        object: identity,
        deleted: now,
    });
    store(transaction, account, project, &tombstone)
        .await
        .map(drop)
}

/// Whether it wasn't there.
pub(super) async fn store(
    client: &impl GenericClient,
    account: Account,
    project: Uuid,
    record: &Record,
) -> PostgresResult<bool> {
    let sql = "INSERT INTO record (account, project, kind, uuid, about, body)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
    let params: [Param<'_>; 6] = [
        &account.0,
        &project,
        &record.kind().as_str(),
        &record.uuid(),
        &about(record),
        &record.to_json(),
    ];
    Ok(execute(client, sql, &params).await? > 0)
}
