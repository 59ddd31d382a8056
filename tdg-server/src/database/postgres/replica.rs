//! Reads immutable bytes from a replica. The primary decides if they exist and whom they belong to,
//! and provides any that the replica lacks or fails to return.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use tdg_service::{Result, Uuid};
use tokio::time::timeout;

use super::address::Address;
use super::pool::Pool;
use crate::account::Account;
use crate::database::session::OwnedColumn;
use crate::database::sql::Sql;
use crate::lock::locked;

/// The timeout for the replica, which may be busy with other work.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The pause in using a replica after it has failed.
const PAUSE: Duration = Duration::from_secs(10);

pub(super) struct ReadReplica {
    pool: Pool,
    failed: Mutex<Option<Instant>>,
}

impl ReadReplica {
    pub(super) fn new(address: &Address, connections: usize) -> Result<Self> {
        Ok(ReadReplica {
            pool: Pool::new(address, connections)?,
            failed: Mutex::default(),
        })
    }

    /// Returns the column of the row with this account (`$1`) and identifier (`$2`), if any.
    pub(super) async fn find<T: OwnedColumn>(
        &self,
        sql: Sql,
        account: Account,
        uuid: Uuid,
    ) -> Option<T> {
        if self.has_failed() {
            return None;
        }
        let found = self
            .pool
            .find(account, (sql, uuid), |session, (sql, uuid)| {
                Box::pin(async move { session.first(*sql, &[uuid], |row| row.get(0)).await })
            });
        match timeout(TIMEOUT, found).await {
            Ok(Ok(found)) => found,
            Ok(Err(error)) => self.fail(&error.to_string()),
            Err(_) => self.fail("it does not answer in time"),
        }
    }

    fn has_failed(&self) -> bool {
        let failed = *locked(&self.failed);
        failed.is_some_and(|failed| failed.elapsed() < PAUSE)
    }

    fn fail<T>(&self, error: &str) -> Option<T> {
        tracing::warn!(%error, "the replica failed; the primary is read instead");
        *locked(&self.failed) = Some(Instant::now());
        None
    }
}
