//! The database that several servers share. Its SQL also runs on other engines with PostgreSQL's
//! protocol: it uses no sequences, triggers, advisory locks or notifications. Identifiers and times
//! are generated in the program, a write is one statement where possible, and a transaction is
//! repeated when the engine requests it.
//!
//! Every key begins with the account, by which a distributed engine can partition all data.

mod address;
mod assertions;
mod error;
mod heartbeat;
mod hosts;
mod pool;
mod replica;
mod schema;
mod shared_connections;
mod tls;

use std::sync::Arc;

use tdg_service::{Result, Uuid};

pub(crate) use self::address::Address;
use self::assertions::AssertionWriter;
pub(super) use self::assertions::NewEntry;
use self::pool::Pool;
use self::replica::ReadReplica;
use super::pending_operation::{Access, DatabaseWork};
use super::session::OwnedColumn;
use super::sql::Sql;
use crate::account::Account;

pub(crate) struct Postgres {
    pool: Pool,
    replica: Option<ReadReplica>,
    pub(super) assertions: AssertionWriter,
}

/// Connects, and brings the tables up to date.
pub(super) async fn open(
    address: &Address,
    replica: Option<&Address>,
    connections: usize,
) -> Result<Postgres> {
    let pool = Pool::new(address, connections)?;
    pool.check_sessions().await?;
    schema::migrate(&pool).await?;
    let assertions = AssertionWriter::new(&pool);
    let replica = replica.map(|address| ReadReplica::new(address, connections));
    Ok(Postgres {
        pool,
        replica: replica.transpose()?,
        assertions,
    })
}

/// Fails if the database lacks the tables of a server.
pub(super) async fn require(address: &Address) -> Result<()> {
    schema::require(&Pool::new(address, 1)?).await
}

impl Postgres {
    pub(super) async fn run(
        &self,
        account: Account,
        access: Access,
        work: Arc<dyn DatabaseWork>,
    ) -> Result<()> {
        let pool = &self.pool;
        match access {
            Access::LookUp => pool.shared_query(work).await,
            Access::Query => pool.for_account(account).await?.query(work).await,
            Access::Read => {
                pool.for_account(account)
                    .await?
                    .read_transaction(work)
                    .await
            }
            Access::WriteOne(bytes) => {
                let pool = pool.of_write(account, bytes).await?;
                pool.query(work).await
            }
            Access::Write(bytes) => {
                let pool = pool.of_write(account, bytes).await?;
                pool.transaction(work).await
            }
        }
    }

    /// Reads bytes from the replica, if there is one and it has them. See [`ReadReplica::find`].
    pub(super) async fn on_replica<T: OwnedColumn>(
        &self,
        sql: Sql,
        account: Account,
        uuid: Uuid,
    ) -> Option<T> {
        self.replica.as_ref()?.find(sql, account, uuid).await
    }
}
