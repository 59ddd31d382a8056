//! Restores deleted objects.

use tdg_service::{ObjectKind, Result, ServiceError, Timestamp, Uuid};

use super::list::Deletion;
use super::tables::{KEPT, KeptTable};
use crate::database::Database;
use crate::database::error::{DatabaseError, DatabaseResult};
use crate::database::row::DatabaseRow;
use crate::database::session::DatabaseSession;
use crate::database::sql::{Sql, SqlValues, sql};
use crate::database::tombstone::identity_of;

impl Database {
    /// Restores an object that was deleted after this time, along with its children, or fails with
    /// the obstacle. Clients that have synchronized the deletion learn about it.
    pub(crate) async fn undelete(&self, deletion: Deletion, after: Timestamp) -> Result<()> {
        let account = deletion.account;
        let args = (deletion, after);
        self.write(account, 0, args, |session, (deletion, after)| {
            Box::pin(undelete(session, deletion, *after))
        })
        .await
    }
}

async fn undelete(
    session: DatabaseSession<'_>,
    deletion: &Deletion,
    after: Timestamp,
) -> DatabaseResult<()> {
    // Comes first, so that it isn't purged concurrently.
    let sql = sql!("DELETE FROM deletion WHERE account = $1 AND uuid = $2 AND deleted > $3");
    let values: SqlValues<'_> = &[&deletion.uuid, &after.as_micros()];
    if session.execute(sql, values).await? == 0 {
        let there = obstacles(deletion.kind).again;
        let what = match session.exists(there, &[&deletion.object]).await? {
            true => "was already restored by another `undelete`",
            false => "was deleted too long ago, and is no longer kept (`--keep-deleted`)",
        };
        return Err(refused(deletion, what));
    }
    check(session, deletion).await?;
    let mut identities = Vec::new();
    for KeptTable { restore, forget } in KEPT {
        let values: SqlValues<'_> = &[&deletion.uuid];
        let restored = session.all(restore, values, |row| row.get::<Option<Uuid>>(0));
        identities.extend(restored.await?.into_iter().flatten());
        session.execute(forget, values).await?;
    }
    let sql = sql!("DELETE FROM tombstone WHERE account = $1 AND uuid = $2");
    session.execute(sql, &[&deletion.object]).await?;
    // Includes the children, which another client may have deleted in the meantime.
    match identity_of(session, deletion.kind, deletion.object).await? {
        Some((project, _)) => session.within(project).revive(&identities).await,
        None => Ok(()),
    }
}

/// The queries that find obstacles to restoring an object.
struct Obstacles {
    /// Finds an object that has since taken the identifier (`$2`).
    again: Sql,
    parent: Option<(ObjectKind, Sql)>,
}

macro_rules! obstacles {
    ($table:literal) => {
        Obstacles {
            again: sql!(
                "SELECT 1 FROM ",
                $table,
                " WHERE account = $1 AND uuid = $2"
            ),
            parent: None,
        }
    };
    ($table:literal, $kind:expr, $parent:literal) => {
        Obstacles {
            parent: Some(($kind, lacking!($table, $parent))),
            ..obstacles!($table)
        }
    };
}

/// Finds the missing parent of the object (`$3`) of a deletion (`$2`), and the object with which
/// the parent was deleted.
macro_rules! lacking {
    ($table:literal, $parent:literal) => {
        sql!(
            "SELECT kept.",
            $parent,
            ", deletion.kind, deletion.object
             FROM deleted_",
            $table,
            " AS kept
             LEFT JOIN deleted_",
            $parent,
            " AS parent ON parent.account = kept.account
                 AND parent.uuid = kept.",
            $parent,
            "
             LEFT JOIN deletion ON deletion.account = parent.account
                 AND deletion.uuid = parent.deletion
             WHERE kept.account = $1 AND kept.deletion = $2 AND kept.uuid = $3
                 AND NOT EXISTS (
                     SELECT 1 FROM ",
            $parent,
            " AS there WHERE there.account = kept.account
                         AND there.uuid = kept.",
            $parent,
            ")
             ORDER BY deletion.deleted DESC LIMIT 1"
        )
    };
}

fn obstacles(kind: ObjectKind) -> Obstacles {
    match kind {
        ObjectKind::Project => const { obstacles!("project") },
        ObjectKind::Definition => {
            const { obstacles!("definition", ObjectKind::Project, "project") }
        }
        ObjectKind::Ensemble => {
            const { obstacles!("ensemble", ObjectKind::Definition, "definition") }
        }
        _ => const { obstacles!("benchmark", ObjectKind::Ensemble, "ensemble") },
    }
}

/// Fails if there is an obstacle. Only the object itself can have been created again: its children
/// need it, and ensembles and benchmarks never reuse an identifier that is kept.
async fn check(session: DatabaseSession<'_>, deletion: &Deletion) -> DatabaseResult<()> {
    let Obstacles { again, parent } = obstacles(deletion.kind);
    if session.exists(again, &[&deletion.object]).await? {
        let uuid = deletion.uuid;
        let what =
            format!("was created again: delete that first, then run `tdg-server undelete {uuid}`");
        return Err(refused(deletion, &what));
    }
    let Some((kind, sql)) = parent else {
        return Ok(());
    };
    let read = |row: DatabaseRow<'_>| {
        let (kind, object) = (row.get(1)?, row.get(2)?);
        let outer: (Option<String>, Option<Uuid>) = (kind, object);
        Ok((row.get::<Uuid>(0)?, outer.0.zip(outer.1)))
    };
    let values: SqlValues<'_> = &[&deletion.uuid, &deletion.object];
    let Some((uuid, outer)) = session.first(sql, values, read).await? else {
        return Ok(());
    };
    let what = match outer {
        Some((_, object)) if object == uuid => {
            format!("was deleted too: first run `tdg-server undelete {object}`")
        }
        Some((outer, object)) => {
            format!("was deleted with {outer} {object}: first run `tdg-server undelete {object}`")
        }
        None => "was deleted too and is no longer kept".to_owned(),
    };
    let kind = kind.name();
    Err(refused(
        deletion,
        &format!("was in {kind} {uuid}, which {what}"),
    ))
}

fn refused(deletion: &Deletion, why: &str) -> DatabaseError {
    let (kind, object) = (deletion.kind.name(), deletion.object);
    ServiceError::Conflict(format!("{kind} {object} {why}").into()).into()
}
