//! The ways to use a database.

use super::pending_operation::{Access, PendingWork};
use super::postgres::Postgres;
use super::session::{Args, OwnedColumn, SessionWork, WorkResult};
use super::sql::{Sql, sql};
use super::sqlite::Sqlite;
use crate::account::Account;
use tdg_service::{ObjectKind, Result, Uuid};

pub(crate) enum Database {
    Sqlite(Sqlite),
    Postgres(Box<Postgres>),
}

impl Database {
    async fn perform<A: Args, T: WorkResult>(
        &self,
        account: Account,
        access: Access,
        args: A,
        work: SessionWork<A, T>,
    ) -> Result<T> {
        let pending = PendingWork::new(account, args, work);
        match self {
            Database::Sqlite(sqlite) => sqlite.run(account, access, pending.clone()).await?,
            Database::Postgres(postgres) => postgres.run(account, access, pending.clone()).await?,
        }
        pending.take_result()
    }

    /// See [`Access::LookUp`].
    pub(super) async fn look_up<A: Args, T: WorkResult>(
        &self,
        account: Account,
        args: A,
        work: SessionWork<A, T>,
    ) -> Result<T> {
        match self {
            Database::Sqlite(sqlite) => sqlite.look_up(account, &args, work).await,
            Database::Postgres(_) => self.perform(account, Access::LookUp, args, work).await,
        }
    }

    /// Looks up the single column that the statement selects of an object, see [`Access::LookUp`].
    pub(super) async fn column<T: OwnedColumn>(
        &self,
        account: Account,
        sql: Sql,
        object: (ObjectKind, Uuid),
    ) -> Result<T> {
        self.look_up(account, (sql, object), |session, (sql, (kind, uuid))| {
            Box::pin(session.find(*sql, *kind, *uuid, |row| row.get(0)))
        })
        .await
    }

    /// See [`Access::Query`].
    pub(super) fn query<A: Args, T: WorkResult>(
        &self,
        account: Account,
        args: A,
        work: SessionWork<A, T>,
    ) -> impl Future<Output = Result<T>> {
        self.perform(account, Access::Query, args, work)
    }

    /// See [`Access::Read`].
    pub(super) fn read<A: Args, T: WorkResult>(
        &self,
        account: Account,
        args: A,
        work: SessionWork<A, T>,
    ) -> impl Future<Output = Result<T>> {
        self.perform(account, Access::Read, args, work)
    }

    /// See [`Access::WriteOne`].
    pub(super) fn write_one<A: Args, T: WorkResult>(
        &self,
        account: Account,
        bytes: usize,
        args: A,
        work: SessionWork<A, T>,
    ) -> impl Future<Output = Result<T>> {
        self.perform(account, Access::WriteOne(bytes), args, work)
    }

    /// See [`Access::Write`].
    pub(super) fn write<A: Args, T: WorkResult>(
        &self,
        account: Account,
        bytes: usize,
        args: A,
        work: SessionWork<A, T>,
    ) -> impl Future<Output = Result<T>> {
        self.perform(account, Access::Write(bytes), args, work)
    }

    /// Looks up a column on the replica by account and identifier. Returns `None` without a
    /// replica, or if it lacks the row.
    pub(super) async fn on_replica<T: OwnedColumn>(
        &self,
        sql: Sql,
        account: Account,
        uuid: Uuid,
    ) -> Option<T> {
        match self {
            Database::Sqlite(_) => None,
            Database::Postgres(postgres) => postgres.on_replica(sql, account, uuid).await,
        }
    }

    /// Succeeds if the database answers.
    pub(crate) async fn ready(&self) -> Result<()> {
        const ASK: SessionWork<(), ()> = |session, ()| {
            let asked = session.exists(sql!("SELECT 1 FROM project LIMIT 1"), &[]);
            Box::pin(async { asked.await.map(drop) })
        };
        self.look_up(Account::NONE, (), ASK).await?;
        match self {
            Database::Sqlite(_) => Ok(()),
            // Every request begins on a shared connection; the other connections are exclusive.
            Database::Postgres(_) => self.query(Account::NONE, (), ASK).await,
        }
    }

    /// Writes without changing anything. Succeeds if the write is stored.
    pub(crate) async fn probe(&self) -> Result<()> {
        self.write_one(Account::NONE, 0, (), |session, ()| {
            let sql = sql!("UPDATE server SET epoch = epoch");
            Box::pin(async move { session.execute(sql, &[]).await.map(drop) })
        })
        .await
    }

    /// Returns the size of the database on its disk, in bytes.
    pub(crate) async fn size(&self) -> Result<u64> {
        if let Database::Sqlite(sqlite) = self {
            return Ok(sqlite.size());
        }
        let size = self.query(Account::NONE, (), |session, ()| {
            let sql = sql!("SELECT pg_database_size(current_database())");
            Box::pin(async move { session.first(sql, &[], |row| row.count(0)).await })
        });
        Ok(size.await?.unwrap_or_default())
    }
}
