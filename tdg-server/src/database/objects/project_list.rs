//! The projects of objects, for keys that are limited to some.

use tdg_service::{ObjectKind, Result, Uuid};

use super::page::{PagePosition, PageRange};
use crate::account::Account;
use crate::database::Database;
use crate::database::error::DatabaseResult;
use crate::database::row::DatabaseRow;
use crate::database::session::DatabaseSession;
use crate::database::sql::{Sql, SqlValues, sql};
use crate::keys::ProjectLimit;

/// A list of an account's objects.
pub(crate) struct ProjectList {
    /// Lists the objects of all projects.
    all: Sql,
    /// Lists the objects of each project that a key is limited to, given as the last parameter.
    of_each: Sql,
}

/// Builds a list from its statement, the column of the project, and the end of the statement.
macro_rules! project_list {
    ($select:literal, $project:literal, $parameter:literal, $end:literal) => {
        $crate::database::objects::project_list::ProjectList::new(
            $crate::database::sql::sql!($select, $end),
            $crate::database::sql::sql!(concat!($select, " AND ", $project), any $parameter, $end),
        )
    };
}
pub(crate) use project_list;

impl ProjectList {
    pub(crate) const fn new(all: Sql, of_each: Sql) -> Self {
        ProjectList { all, of_each }
    }

    /// Reads at most `$4` objects of the projects that a key opens, after `$2` and `$3`, in the
    /// order of their places.
    pub(crate) async fn page<T>(
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
        // On SQLite, each project has returned up to this many.
        found.sort_by_key(place);
        found.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        Ok(found)
    }

    /// Reads all objects of the projects that a key opens, on SQLite project by project.
    pub(crate) async fn read<T>(
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
    /// Returns the project of an object, if the object exists.
    pub(crate) async fn project_of(
        &self,
        account: Account,
        kind: ObjectKind,
        object: Uuid,
    ) -> Result<Option<Uuid>> {
        self.look_up(account, (kind, object), |session, (kind, object)| {
            Box::pin(async move {
                let sql = placed(*kind);
                session.first(sql, &[object], |row| row.get(0)).await
            })
        })
        .await
    }

    /// Returns the projects of an account with this name or identifier.
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

    /// Returns the names of the projects that exist.
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

/// Selects the project of an object, and its identity if it has one.
pub(in crate::database) fn placed(kind: ObjectKind) -> Sql {
    match kind {
        ObjectKind::Project => {
            sql!("SELECT uuid, uuid FROM project WHERE account = $1 AND uuid = $2")
        }
        ObjectKind::Definition => {
            sql!("SELECT project, identity FROM definition WHERE account = $1 AND uuid = $2")
        }
        ObjectKind::Ensemble => sql!(
            "SELECT definition.project, ensemble.identity
             FROM ensemble JOIN definition ON definition.account = ensemble.account
                 AND definition.uuid = ensemble.definition
             WHERE ensemble.account = $1 AND ensemble.uuid = $2"
        ),
        _ => sql!(
            "SELECT definition.project, benchmark.identity
             FROM benchmark JOIN definition ON definition.account = benchmark.account
                 AND definition.uuid = benchmark.definition
             WHERE benchmark.account = $1 AND benchmark.uuid = $2"
        ),
    }
}
