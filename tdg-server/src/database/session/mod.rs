//! Sessions: the interface through which operations use either engine.

mod postgres;
mod sqlite;

use futures_util::future::BoxFuture;
use tdg_service::{ObjectKind, ServiceError, Uuid};
use tokio_postgres::types::FromSqlOwned;

pub(super) use self::postgres::PostgresConnection;
pub(super) use self::sqlite::SqliteConnection;
use super::Deleter;
use super::error::DatabaseResult;
use super::row::DatabaseRow;
use super::sql::{Sql, SqlColumn, SqlValue, SqlValues};
use crate::account::Account;
use crate::keys::ProjectLimit;

/// A session with an account's data. The account is `$1` of each statement, before the given
/// values. The server's own sessions have none.
#[derive(Clone, Copy)]
pub(super) struct DatabaseSession<'a> {
    account: Account,
    engine: SessionEngine<'a>,
}

/// A connection, and its transaction if there is one. SQLite's futures are ready at once.
#[derive(Clone, Copy)]
pub(super) enum SessionEngine<'a> {
    Sqlite(&'a SqliteConnection),
    Postgres(PostgresConnection<'a>),
}

/// A session with the data of a project of the account.
#[derive(Clone, Copy)]
pub(super) struct ProjectSession<'a> {
    pub(super) session: DatabaseSession<'a>,
    pub(super) project: Uuid,
    /// The sender of tombstones.
    pub(super) deleter: Option<&'a Deleter>,
    /// Set if the key is limited to the project, so that all other projects count as missing.
    pub(super) is_confined: bool,
}

/// The arguments of an operation. They are owned, so that it can be retried.
pub(super) trait Args: Send + Sync + 'static {}

impl<A: Send + Sync + 'static> Args for A {}

/// The result of an operation.
pub(super) trait WorkResult: Send + 'static {}

impl<T: Send + 'static> WorkResult for T {}

/// The value of a column that outlives its row.
pub(super) trait OwnedColumn: rusqlite::types::FromSql + FromSqlOwned + WorkResult {}

impl<T: rusqlite::types::FromSql + FromSqlOwned + WorkResult> OwnedColumn for T {}

pub(super) type DatabaseFuture<'a, T> = BoxFuture<'a, DatabaseResult<T>>;

/// The statements of an operation. They may run again with the same arguments.
pub(super) type SessionWork<A, T> = for<'a> fn(DatabaseSession<'a>, &'a A) -> DatabaseFuture<'a, T>;

impl<'a> From<&'a SqliteConnection> for SessionEngine<'a> {
    fn from(connection: &'a SqliteConnection) -> Self {
        SessionEngine::Sqlite(connection)
    }
}

impl ProjectSession<'_> {
    /// Returns this session for a key with a limit.
    pub(super) fn confined_by(self, limit: &ProjectLimit) -> Self {
        let is_confined = limit.projects().is_some();
        ProjectSession {
            is_confined,
            ..self
        }
    }
}

impl<'a> DatabaseSession<'a> {
    pub(super) fn new(account: Account, engine: impl Into<SessionEngine<'a>>) -> Self {
        DatabaseSession {
            account,
            engine: engine.into(),
        }
    }

    /// Returns this session for another account.
    pub(super) fn for_account(self, account: Account) -> Self {
        DatabaseSession { account, ..self }
    }

    pub(super) fn within(self, project: Uuid) -> ProjectSession<'a> {
        ProjectSession {
            session: self,
            project,
            deleter: None,
            is_confined: false,
        }
    }

    /// Returns the values of a statement.
    fn values<'v>(&'v self, values: SqlValues<'v>) -> Vec<&'v dyn SqlValue> {
        let own = (self.account != Account::NONE).then_some(&self.account.0 as _);
        own.into_iter().chain(values.iter().copied()).collect()
    }

    /// Returns the row of a query that finds at most one.
    pub(super) async fn first<T>(
        self,
        sql: Sql,
        values: SqlValues<'_>,
        read: impl FnOnce(DatabaseRow<'_>) -> DatabaseResult<T>,
    ) -> DatabaseResult<Option<T>> {
        let values = &self.values(values);
        match self.engine {
            SessionEngine::Sqlite(connection) => {
                sqlite::first_row(connection, sql.sqlite, values, read)
            }
            SessionEngine::Postgres(connection) => {
                let rows = connection.rows(sql.postgres, values, &[]).await?;
                let row = rows.first().map(DatabaseRow::Postgres);
                row.map(read).transpose()
            }
        }
    }

    /// Returns the result of a query for an object's identifier (`$2`), or the error that the
    /// account doesn't have it.
    pub(super) async fn find<T>(
        self,
        sql: Sql,
        kind: ObjectKind,
        uuid: Uuid,
        read: impl FnOnce(DatabaseRow<'_>) -> DatabaseResult<T>,
    ) -> DatabaseResult<T> {
        let found = self.first(sql, &[&uuid], read).await?;
        require(found, kind, uuid)
    }

    /// Returns all rows of a query.
    pub(super) async fn all<T>(
        self,
        sql: Sql,
        values: SqlValues<'_>,
        read: impl FnMut(DatabaseRow<'_>) -> DatabaseResult<T>,
    ) -> DatabaseResult<Vec<T>> {
        self.each(sql, values, &[], read).await
    }

    /// Returns all rows of a statement whose last parameters have one value per object. PostgreSQL
    /// gets arrays; SQLite runs the statement once for each.
    pub(super) async fn each<T>(
        self,
        sql: Sql,
        values: SqlValues<'_>,
        columns: &[&dyn SqlColumn],
        read: impl FnMut(DatabaseRow<'_>) -> DatabaseResult<T>,
    ) -> DatabaseResult<Vec<T>> {
        let values = &self.values(values);
        match self.engine {
            SessionEngine::Sqlite(connection) => {
                sqlite::rows_of_each(connection, sql.sqlite, values, columns, read)
            }
            SessionEngine::Postgres(connection) => {
                let rows = connection.rows(sql.postgres, values, columns).await?;
                let rows = rows.iter().map(DatabaseRow::Postgres);
                rows.map(read).collect()
            }
        }
    }

    /// Runs such a statement for writing.
    pub(super) async fn execute_each(
        self,
        sql: Sql,
        values: SqlValues<'_>,
        columns: &[&dyn SqlColumn],
    ) -> DatabaseResult<()> {
        self.each(sql, values, columns, |_| Ok(())).await.map(drop)
    }

    /// Runs a statement that writes. Returns the number of written rows.
    pub(super) async fn execute(self, sql: Sql, values: SqlValues<'_>) -> DatabaseResult<u64> {
        let values = &self.values(values);
        match self.engine {
            SessionEngine::Sqlite(connection) => {
                sqlite::execute_once(connection, sql.sqlite, values)
            }
            SessionEngine::Postgres(connection) => {
                Ok(connection.execute(sql.postgres, values).await?)
            }
        }
    }

    /// Returns PostgreSQL's connection, for statements that SQLite doesn't need.
    pub(super) fn client(self) -> DatabaseResult<&'a tokio_postgres::Client> {
        match self.engine {
            SessionEngine::Sqlite(_) => Err(ServiceError::unexpected("SQLite has no client"))?,
            SessionEngine::Postgres(connection) => Ok(connection.client),
        }
    }

    pub(super) fn is_sqlite(self) -> bool {
        matches!(self.engine, SessionEngine::Sqlite(_))
    }

    /// Returns true if a query finds a row.
    pub(super) async fn exists(self, sql: Sql, values: SqlValues<'_>) -> DatabaseResult<bool> {
        Ok(self.first(sql, values, |_| Ok(())).await?.is_some())
    }
}

/// Returns the object that was found, or the error that the account doesn't have it.
pub(super) fn require<T>(found: Option<T>, kind: ObjectKind, uuid: Uuid) -> DatabaseResult<T> {
    Ok(found.ok_or(ServiceError::NotFound(kind, uuid))?)
}

/// Checks that a statement wrote the object's row, which it does if the account has the object.
pub(super) fn require_written(rows: u64, kind: ObjectKind, uuid: Uuid) -> DatabaseResult<()> {
    require((rows > 0).then_some(()), kind, uuid)
}
