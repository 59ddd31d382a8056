//! The database that several servers share. Its SQL runs on other engines that speak PostgreSQL's
//! protocol too: no sequences, triggers, advisory locks or notifications; identifiers and times are
//! made in the program, a write is one statement where possible, and a transaction that the engine
//! asks to repeat is repeated.
//!
//! Every key begins with the account, by which a distributing engine can distribute all of it.

mod accounts;
mod address;
mod ahead;
mod assertions;
mod audit;
mod benchmarks;
mod definitions;
mod deletion;
mod ensembles;
mod error;
mod heartbeat;
mod hosts;
mod idempotency;
mod keys;
mod pool;
mod projects;
mod records;
mod replica;
mod schema;
mod shared;
mod statement;
mod tls;
mod tombstone;
mod tree;
mod upkeep;

use std::sync::Arc;

use async_trait::async_trait;
use deadpool_postgres::Client;
use tdg_service::{Result, Uuid};
use tokio::task::block_in_place;
use tokio_postgres::types::FromSqlOwned;

pub(crate) use self::address::Address;
use self::assertions::AssertionWriter;
use self::error::PostgresResult;
use self::pool::Pool;
use self::replica::ReadReplica;
use self::statement::first;
use super::{Account, Database, Opened, PROBE};

struct Postgres {
    pool: Pool,
    replica: Option<ReadReplica>,
    assertions: AssertionWriter,
}

/// Connects, and brings the tables up to date.
pub(super) async fn open(
    address: &Address,
    replica: Option<&Address>,
    connections: usize,
) -> Result<Opened> {
    let pool = Pool::new(address, connections)?;
    pool.check_sessions().await?;
    schema::migrate(&pool).await?;
    idempotency::start_cleanup(&pool);
    let assertions = AssertionWriter::new(&pool);
    let replica = replica.map(|address| ReadReplica::new(address, connections));
    Ok(Opened {
        database: Arc::new(Postgres {
            pool,
            replica: replica.transpose()?,
            assertions,
        }),
        new: false,
    })
}

impl Postgres {
    /// Bytes of the replica, if there is one and has them. See [`ReadReplica::find`].
    async fn on_replica<T: FromSqlOwned + Send + 'static>(
        &self,
        sql: &'static str,
        account: Account,
        uuid: Uuid,
    ) -> Option<T> {
        self.replica.as_ref()?.find(sql, account, uuid).await
    }
}

#[async_trait]
impl Database for Postgres {
    async fn ready(&self) -> Result<()> {
        // Every request begins on a shared connection.
        self.pool
            .shared_query((), |client, ()| Box::pin(ask(client)))
            .await?;
        self.pool
            .query((), |client, ()| Box::pin(ask(client)))
            .await
    }

    async fn probe(&self) -> Result<()> {
        self.pool
            .query((), |client, ()| {
                Box::pin(async { Ok(client.execute(PROBE, &[]).await.map(drop)?) })
            })
            .await
    }

    async fn size(&self) -> Result<u64> {
        self.pool
            .query((), |client, ()| {
                Box::pin(async {
                    let sql = "SELECT pg_database_size(current_database())";
                    let row = first(client, sql, &[]).await?;
                    let bytes: Option<i64> = row.map(|row| row.try_get(0)).transpose()?;
                    Ok(bytes.unwrap_or_default().unsigned_abs())
                })
            })
            .await
    }
}

async fn ask(client: &Client) -> PostgresResult<()> {
    let found = first(client, "SELECT 1 FROM project LIMIT 1", &[]).await;
    found.map(drop)
}

/// Parses a text of `bytes` bytes. If it is long, tasks that wait for this thread move to another.
fn parse_sized<T>(bytes: usize, parse: impl FnOnce() -> T) -> T {
    const SHORT: usize = 16 << 10;
    if bytes <= SHORT {
        parse()
    } else {
        block_in_place(parse)
    }
}
