//! Records that are stored verbatim, and tombstones, by which clients learn of deletions.

use tdg_service::record::{Record, RecordKind, RevivalRecord, TombstoneRecord};
use tdg_service::{JsonForm, ObjectKind, Timestamp, Uuid};

use super::error::DatabaseResult;
use super::objects::project_list::placed;
use super::row::DatabaseRow;
use super::session::{DatabaseSession, ProjectSession};
use super::sql::{SqlValues, sql};
use super::timed_uuid;

impl ProjectSession<'_> {
    /// Returns those identities in a project that were deleted and not revived.
    pub(super) async fn gone(self, identities: &[Uuid]) -> DatabaseResult<Vec<Uuid>> {
        let tombstones = self.tombstones(identities).await?;
        let mut gone: Vec<Uuid> = tombstones.into_iter().map(|(object, _)| object).collect();
        gone.sort_unstable();
        gone.dedup();
        Ok(gone)
    }

    /// Adds revivals of those objects that were deleted.
    pub(super) async fn revive(self, identities: &[Uuid]) -> DatabaseResult<()> {
        for (_, tombstone) in self.tombstones(identities).await? {
            let revival = Record::Revival(RevivalRecord { tombstone });
            self.store(&revival).await?;
        }
        Ok(())
    }

    /// Returns those objects that were deleted, and their tombstones.
    async fn tombstones(self, identities: &[Uuid]) -> DatabaseResult<Vec<(Uuid, Uuid)>> {
        let sql = sql!(
            "SELECT about, uuid FROM record AS tombstone
             WHERE account = $1 AND project = $2 AND about", any "$3",
            " AND kind = 'tombstone' AND NOT EXISTS (
                 SELECT 1 FROM record AS revival
                 WHERE revival.account = tombstone.account AND revival.project = tombstone.project
                     AND revival.about = tombstone.uuid AND revival.kind = 'revival')"
        );
        let values: SqlValues<'_> = &[&self.project];
        let read = |row: DatabaseRow<'_>| Ok((row.get(0)?, row.get(1)?));
        self.session
            .each(sql, values, &[&identities.to_vec()], read)
            .await
    }

    /// Returns the kind and project of the object with an identity, or of a test or decision of
    /// this project.
    pub(super) async fn whereabouts(
        self,
        identity: Uuid,
    ) -> DatabaseResult<Option<(RecordKind, Uuid)>> {
        let sql = sql!(
            "SELECT 'project', uuid FROM project WHERE account = $1 AND uuid = $3
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
             LIMIT 1"
        );
        let read = |row: DatabaseRow<'_>| Ok((row.text(0)?.parse().ok(), row.get(1)?));
        let values: SqlValues<'_> = &[&self.project, &identity];
        let found = self.session.first(sql, values, read).await?;
        Ok(found.and_then(|(kind, project)| Some((kind?, project))))
    }

    /// Stores a record. Returns true if it is new.
    pub(super) async fn store(self, record: &Record) -> DatabaseResult<bool> {
        let sql = sql!(
            "INSERT INTO record (account, project, kind, uuid, about, body, test, arrived)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING"
        );
        let now = Timestamp::now();
        let (test, time) = match record {
            Record::Decision(decision) => (Some(decision.test), Some(decision.time)),
            _ => (None, None),
        };
        let arrived = time.filter(|time| *time > now).map(|_| now.as_micros());
        let values: SqlValues<'_> = &[
            &self.project,
            &record.kind().as_str(),
            &record.uuid(),
            &about(record),
            &record.to_json(),
            &test,
            &arrived,
        ];
        Ok(self.session.execute(sql, values).await? > 0)
    }
}

/// Returns the project and identity of an object, if it has one.
pub(super) async fn identity_of(
    session: DatabaseSession<'_>,
    kind: ObjectKind,
    object: Uuid,
) -> DatabaseResult<Option<(Uuid, Uuid)>> {
    let read = |row: DatabaseRow<'_>| Ok((row.get(0)?, row.get(1)?));
    let found: Option<(Uuid, Option<Uuid>)> = session.first(placed(kind), &[&object], read).await?;
    Ok(found.and_then(|(project, identity)| Some((project, identity?))))
}

/// Returns the objects with this identity.
pub(super) async fn objects(
    session: DatabaseSession<'_>,
    kind: ObjectKind,
    identity: Uuid,
) -> DatabaseResult<Vec<Uuid>> {
    let sql = match kind {
        ObjectKind::Project => sql!("SELECT uuid FROM project WHERE account = $1 AND uuid = $2"),
        ObjectKind::Definition => {
            sql!("SELECT uuid FROM definition WHERE account = $1 AND identity = $2")
        }
        ObjectKind::Ensemble => {
            sql!("SELECT uuid FROM ensemble WHERE account = $1 AND identity = $2")
        }
        _ => sql!("SELECT uuid FROM benchmark WHERE account = $1 AND identity = $2"),
    };
    let values: SqlValues<'_> = &[&identity];
    session.all(sql, values, |row| row.get(0)).await
}

/// Adds a tombstone for a deleted object, unless another object has its identity.
pub(super) async fn bury_record(
    session: DatabaseSession<'_>,
    kind: ObjectKind,
    (project, identity): (Uuid, Uuid),
    now: Timestamp,
) -> DatabaseResult<()> {
    if !objects(session, kind, identity).await?.is_empty() {
        return Ok(());
    }
    let tombstone = Record::Tombstone(TombstoneRecord {
        uuid: timed_uuid(now),
        of: record_kind(kind),
        object: identity,
        deleted: now,
    });
    let stored = session.within(project).store(&tombstone);
    stored.await.map(drop)
}

/// Returns the identifier by which a record that is stored verbatim is looked up.
fn about(record: &Record) -> Option<Uuid> {
    match record {
        Record::Tombstone(it) => Some(it.object),
        Record::Revival(it) => Some(it.tombstone),
        Record::Decision(it) => it.benchmark,
        _ => None,
    }
}

/// Returns the kind of a tombstone's objects.
pub(super) fn buried_kind(tombstone: &TombstoneRecord) -> Option<ObjectKind> {
    let mut kinds = OBJECTS.into_iter();
    kinds.find(|kind| record_kind(*kind) == tombstone.of)
}

/// Returns the kind of an object's record.
fn record_kind(kind: ObjectKind) -> RecordKind {
    match kind {
        ObjectKind::Project => RecordKind::Project,
        ObjectKind::Definition => RecordKind::Definition,
        ObjectKind::Ensemble => RecordKind::Ensemble,
        _ => RecordKind::Benchmark,
    }
}

/// The kinds of objects that have tombstones.
pub(super) const OBJECTS: [ObjectKind; 4] = [
    ObjectKind::Project,
    ObjectKind::Definition,
    ObjectKind::Ensemble,
    ObjectKind::Benchmark,
];
