//! The ways to use a database. Each is atomic, but [`write_one`](Database::write_one) of several
//! statements on PostgreSQL.

use tdg_service::{Result, Uuid};

use super::Account;
use super::postgres::Postgres;
use super::session::{Args, ReplicaColumn, SessionWork, WorkResult};
use super::sql::{Sql, sql};
use super::sqlite::Sqlite;

pub(crate) enum Database {
    Sqlite(Sqlite),
    Postgres(Box<Postgres>),
}

impl Database {
    /// A single short query: on SQLite by the thread that asks, on PostgreSQL by a connection that
    /// others use at the same time.
    pub(super) async fn look_up<A: Args, T: WorkResult>(
        &self,
        account: Account,
        args: A,
        work: SessionWork<A, T>,
    ) -> Result<T> {
        match self {
            Database::Sqlite(sqlite) => sqlite.look_up(account, &args, work).await,
            Database::Postgres(postgres) => postgres.look_up(account, args, work).await,
        }
    }

    /// A single query that may take long.
    pub(super) async fn query<A: Args, T: WorkResult>(
        &self,
        account: Account,
        args: A,
        work: SessionWork<A, T>,
    ) -> Result<T> {
        match self {
            Database::Sqlite(sqlite) => sqlite.read(account, args, work).await,
            Database::Postgres(postgres) => postgres.query(account, 0, args, work).await,
        }
    }

    /// Several queries that see one state of the database.
    pub(super) async fn read<A: Args, T: WorkResult>(
        &self,
        account: Account,
        args: A,
        work: SessionWork<A, T>,
    ) -> Result<T> {
        match self {
            Database::Sqlite(sqlite) => sqlite.read(account, args, work).await,
            Database::Postgres(postgres) => postgres.read(account, args, work).await,
        }
    }

    /// A single statement that writes about that many bytes, or several that do not depend on each
    /// other.
    pub(super) async fn write_one<A: Args, T: WorkResult>(
        &self,
        account: Account,
        bytes: usize,
        args: A,
        work: SessionWork<A, T>,
    ) -> Result<T> {
        match self {
            Database::Sqlite(sqlite) => sqlite.write(account, bytes, args, work).await,
            Database::Postgres(postgres) => postgres.query(account, bytes, args, work).await,
        }
    }

    /// Statements that write about that many bytes, and are all done or none. They are on the disk
    /// when this returns.
    pub(super) async fn write<A: Args, T: WorkResult>(
        &self,
        account: Account,
        bytes: usize,
        args: A,
        work: SessionWork<A, T>,
    ) -> Result<T> {
        match self {
            Database::Sqlite(sqlite) => sqlite.write(account, bytes, args, work).await,
            Database::Postgres(postgres) => postgres.write(account, bytes, args, work).await,
        }
    }

    /// A column from the replica, which a statement finds by account and identifier, if there is a
    /// replica and it has that.
    pub(super) async fn on_replica<T: ReplicaColumn>(
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
            // Every request begins on a shared connection, and the others have one of their own.
            Database::Postgres(postgres) => postgres.query(Account::NONE, 0, (), ASK).await,
        }
    }

    /// Writes something that changes nothing. Succeeds if it is stored.
    pub(crate) async fn probe(&self) -> Result<()> {
        self.write_one(Account::NONE, 0, (), |session, ()| {
            let sql = sql!("UPDATE server SET epoch = epoch");
            Box::pin(async move { session.execute(sql, &[]).await.map(drop) })
        })
        .await
    }

    /// The bytes that it takes on its disk.
    pub(crate) async fn size(&self) -> Result<u64> {
        let postgres = match self {
            Database::Sqlite(sqlite) => return Ok(sqlite.size()),
            Database::Postgres(postgres) => postgres,
        };
        let size = postgres.query(Account::NONE, 0, (), |session, ()| {
            let sql = sql!("SELECT pg_database_size(current_database())");
            Box::pin(async move { session.first(sql, &[], |row| row.count(0)).await })
        });
        Ok(size.await?.unwrap_or_default())
    }
}
