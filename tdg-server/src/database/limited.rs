//! The projects that objects are in, for keys that are limited to some.

use tdg_service::{ObjectKind, Result, Uuid};

use super::error::DatabaseResult;
use super::page::{PagePosition, PageRange};
use super::row::DatabaseRow;
use super::session::DatabaseSession;
use super::sql::{Sql, SqlValues, sql};
use super::{Account, Database};
use crate::keys::ProjectLimit;

/// A list of what an account has.
pub(super) struct ProjectList {
    /// Of all its projects.
    all: Sql,
    /// Of each of those that a key is limited to, by the last parameter.
    of_each: Sql,
}

/// A list by a statement that has a project in that column, and by its end.
macro_rules! project_list {
    ($select:literal, $project:literal, $parameter:literal, $end:literal) => {
        $crate::database::limited::ProjectList::new(
            $crate::database::sql::sql!($select, $end),
            $crate::database::sql::sql!(concat!($select, " AND ", $project), any $parameter, $end),
        )
    };
}
pub(super) use project_list;

impl ProjectList {
    pub(super) const fn new(all: Sql, of_each: Sql) -> Self {
        ProjectList { all, of_each }
    }

    /// A part of what it has of the projects that a key opens, in the order of their places; they
    /// are after `$2` and `$3`, and at most `$4`.
    pub(super) async fn page<T>(
        self,
        session: DatabaseSession<'_>,
        limit: &ProjectLimit,
        range: &PageRange,
        read: impl FnMut(DatabaseRow<'_>) -> DatabaseResult<T>,
        place: impl Fn(&T) -> PagePosition,
    ) -> DatabaseResult<Vec<T>> {
        let ((added, uuid), most) = (range.after(), range.query_limit());
        let values: SqlValues<'_> = &[&added, &uuid, &most];
        let mut found = self.read(session, limit, values, read).await?;
        // SQLite has found as many of each project.
        found.sort_by_key(place);
        found.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        Ok(found)
    }

    /// What it has of the projects that a key opens, on SQLite one project after the other.
    pub(super) async fn read<T>(
        self,
        session: DatabaseSession<'_>,
        limit: &ProjectLimit,
        values: SqlValues<'_>,
        read: impl FnMut(DatabaseRow<'_>) -> DatabaseResult<T>,
    ) -> DatabaseResult<Vec<T>> {
        match limit.projects() {
            None => session.all(self.all, values, read).await,
            Some(projects) => session.each(self.of_each, values, &[projects], read).await,
        }
    }
}

impl Database {
    /// The project of an object, if that is there.
    pub(crate) async fn project_of(
        &self,
        account: Account,
        kind: ObjectKind,
        object: Uuid,
    ) -> Result<Option<Uuid>> {
        self.look_up(account, (kind, object), |session, (kind, object)| {
            Box::pin(async move {
                let sql = project_of(*kind);
                session.first(sql, &[object], |row| row.get(0)).await
            })
        })
        .await
    }

    /// Those of the projects of an account that have that name, or that identifier.
    pub(crate) async fn projects_called(&self, account: Account, name: &str) -> Result<Vec<Uuid>> {
        let args = (name.to_owned(), Uuid::try_parse(name).ok());
        self.query(account, args, |session, (name, uuid)| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT uuid FROM project WHERE account = $1 AND (name = $2 OR uuid = $3)
                     ORDER BY added, uuid"
                );
                let values: SqlValues<'_> = &[name, uuid];
                session.all(sql, values, |row| row.get(0)).await
            })
        })
        .await
    }

    /// The names of those of these projects that are there.
    pub(crate) async fn names_of_projects(
        &self,
        account: Account,
        projects: Vec<Uuid>,
    ) -> Result<Vec<(Uuid, String)>> {
        self.query(account, projects, |session, projects| {
            Box::pin(async move {
                let sql =
                    sql!("SELECT uuid, name FROM project WHERE account = $1 AND uuid", any "$2");
                let read = |row: DatabaseRow<'_>| Ok((row.get(0)?, row.get(1)?));
                session.each(sql, &[], &[projects], read).await
            })
        })
        .await
    }
}

fn project_of(kind: ObjectKind) -> Sql {
    match kind {
        ObjectKind::Project => sql!("SELECT uuid FROM project WHERE account = $1 AND uuid = $2"),
        ObjectKind::Definition => {
            sql!("SELECT project FROM definition WHERE account = $1 AND uuid = $2")
        }
        ObjectKind::Ensemble => sql!(
            "SELECT definition.project
             FROM ensemble JOIN definition ON definition.account = ensemble.account
                 AND definition.uuid = ensemble.definition
             WHERE ensemble.account = $1 AND ensemble.uuid = $2"
        ),
        _ => sql!(
            "SELECT definition.project
             FROM benchmark JOIN definition ON definition.account = benchmark.account
                 AND definition.uuid = benchmark.definition
             WHERE benchmark.account = $1 AND benchmark.uuid = $2"
        ),
    }
}
