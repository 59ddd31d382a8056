//! A session with the database: what operations say to either engine.

mod postgres;
mod sqlite;

use futures_util::future::BoxFuture;
use tdg_service::{ObjectKind, ServiceError, Uuid};
use tokio_postgres::types::FromSqlOwned;

pub(super) use self::postgres::PostgresConnection;
pub(super) use self::sqlite::SqliteConnection;
use super::error::DatabaseResult;
use super::row::DatabaseRow;
use super::sql::{Sql, SqlColumn, SqlValue, SqlValues};
use super::{Account, Deleter};
use crate::keys::ProjectLimit;

/// A session about what an account has: `$1` of its statements, before the values that they are
/// given. The server's own sessions have none.
#[derive(Clone, Copy)]
pub(super) struct DatabaseSession<'a> {
    account: Account,
    engine: SessionEngine<'a>,
}

/// A connection, and the transaction in which it is if there is one. SQLite's futures are ready at
/// once.
#[derive(Clone, Copy)]
pub(super) enum SessionEngine<'a> {
    Sqlite(&'a SqliteConnection),
    Postgres(PostgresConnection<'a>),
}

/// A session about what a project of the account has.
#[derive(Clone, Copy)]
pub(super) struct ProjectSession<'a> {
    pub(super) session: DatabaseSession<'a>,
    pub(super) project: Uuid,
    /// Who deletes what tombstones are about.
    pub(super) deleter: Option<&'a Deleter>,
    /// Whether all others count as not there, since the key doesn't open them.
    pub(super) is_confined: bool,
}

/// Arguments of an operation; owned, so that it can be retried.
pub(super) trait Args: Send + Sync + 'static {}

impl<A: Send + Sync + 'static> Args for A {}

/// The result of an operation.
pub(super) trait WorkResult: Send + 'static {}

impl<T: Send + 'static> WorkResult for T {}

/// The value of a column, which outlives its row.
pub(super) trait OwnedColumn: rusqlite::types::FromSql + FromSqlOwned + WorkResult {}

impl<T: rusqlite::types::FromSql + FromSqlOwned + WorkResult> OwnedColumn for T {}

pub(super) type DatabaseFuture<'a, T> = BoxFuture<'a, DatabaseResult<T>>;

/// The statements of an operation. They may be done again with the same arguments.
pub(super) type SessionWork<A, T> = for<'a> fn(DatabaseSession<'a>, &'a A) -> DatabaseFuture<'a, T>;

impl<'a> From<&'a SqliteConnection> for SessionEngine<'a> {
    fn from(connection: &'a SqliteConnection) -> Self {
        SessionEngine::Sqlite(connection)
    }
}

impl ProjectSession<'_> {
    /// The same for a key with that limit.
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

    /// The same about what another account has.
    pub(super) fn of(self, account: Account) -> Self {
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

    /// The values of a statement.
    fn values<'v>(&'v self, values: SqlValues<'v>) -> Vec<&'v dyn SqlValue> {
        let own = (self.account != Account::NONE).then_some(&self.account.0 as _);
        own.into_iter().chain(values.iter().copied()).collect()
    }

    /// The row of a query that gives at most one.
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

    /// What a query finds of an object by its identifier (`$2`), or the error of one that the
    /// account does not have.
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

    /// All rows of a query.
    pub(super) async fn all<T>(
        self,
        sql: Sql,
        values: SqlValues<'_>,
        read: impl FnMut(DatabaseRow<'_>) -> DatabaseResult<T>,
    ) -> DatabaseResult<Vec<T>> {
        self.each(sql, values, &[], read).await
    }

    /// All rows of a statement whose last parameters have a value for each of several things: an
    /// array to PostgreSQL; SQLite runs it for one after the other.
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

    /// Runs such a statement, which writes.
    pub(super) async fn execute_each(
        self,
        sql: Sql,
        values: SqlValues<'_>,
        columns: &[&dyn SqlColumn],
    ) -> DatabaseResult<()> {
        self.each(sql, values, columns, |_| Ok(())).await.map(drop)
    }

    /// Runs a statement that writes; the number of rows that it wrote.
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

    /// PostgreSQL's connection, for what it alone is told.
    pub(super) fn client(self) -> DatabaseResult<&'a tokio_postgres::Client> {
        match self.engine {
            SessionEngine::Sqlite(_) => Err(ServiceError::unexpected("SQLite has no client"))?,
            SessionEngine::Postgres(connection) => Ok(connection.client),
        }
    }

    pub(super) fn is_sqlite(self) -> bool {
        matches!(self.engine, SessionEngine::Sqlite(_))
    }

    /// Whether a query gives a row.
    pub(super) async fn exists(self, sql: Sql, values: SqlValues<'_>) -> DatabaseResult<bool> {
        Ok(self.first(sql, values, |_| Ok(())).await?.is_some())
    }
}

/// The object that was looked up, or the error of one that the account does not have.
pub(super) fn require<T>(found: Option<T>, kind: ObjectKind, uuid: Uuid) -> DatabaseResult<T> {
    Ok(found.ok_or(ServiceError::NotFound(kind, uuid))?)
}

/// Whether the statement wrote a row for that object, which it does if the account has it.
pub(super) fn require_written(rows: u64, kind: ObjectKind, uuid: Uuid) -> DatabaseResult<()> {
    require((rows > 0).then_some(()), kind, uuid)
}
