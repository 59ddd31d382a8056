//! Connections that short queries share. Queries are pipelined: sent without waiting for earlier
//! answers.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use deadpool_postgres::{Client, Pool as Connections, PoolError, Timeouts};

use crate::lock::locked;

/// The pause after the pool had no connection.
const PAUSE: Duration = Duration::from_secs(1);

/// At most `most` connections, taken from a pool and kept while they work.
pub(super) struct SharedConnections {
    most: usize,
    clients: Mutex<Vec<Arc<Client>>>,
    /// Locked while another connection is taken from the pool. Holds the time of the last failure.
    filling: tokio::sync::Mutex<Option<Instant>>,
}

impl SharedConnections {
    pub(super) fn new(most: usize) -> Self {
        SharedConnections {
            most,
            clients: Mutex::default(),
            filling: tokio::sync::Mutex::default(),
        }
    }

    /// Returns the connection with the fewest users, or takes one from the pool if there is none.
    /// If more are allowed and the pool has one available, it is taken for later callers.
    pub(super) async fn client(&self, connections: &Connections) -> Result<Arc<Client>, PoolError> {
        let (least_used, are_enough) = self.least_used();
        let Some(client) = least_used else {
            return Ok(self.share(connections.get().await?));
        };
        if are_enough {
            return Ok(client);
        }
        // In the meantime, other callers use the existing connections.
        let Ok(mut failed) = self.filling.try_lock() else {
            return Ok(client);
        };
        if failed.is_some_and(|failed| failed.elapsed() < PAUSE) {
            return Ok(client);
        }
        let at_once = Timeouts {
            wait: Some(Duration::ZERO),
            ..connections.timeouts()
        };
        match connections.timeout_get(&at_once).await {
            Ok(another) => Ok(self.share(another)),
            Err(error) => {
                tracing::debug!(%error, "no other connection can be shared");
                *failed = Some(Instant::now());
                Ok(client)
            }
        }
    }

    /// Stops sharing a connection; its last user closes it.
    pub(super) fn forget(&self, client: Arc<Client>) {
        self.clients().retain(|other| !Arc::ptr_eq(other, &client));
        if let Some(client) = Arc::into_inner(client) {
            drop(Client::take(client));
        }
    }

    /// Stops sharing connections that were made before.
    pub(super) fn forget_older(&self, since: Instant) {
        self.clients()
            .retain(|client| Client::metrics(client).created >= since);
    }

    /// Returns the connection with the fewest users, and true if the maximum is reached.
    fn least_used(&self) -> (Option<Arc<Client>>, bool) {
        let mut clients = self.clients();
        clients.retain(|client| !client.is_closed());
        let least_used = clients
            .iter()
            .min_by_key(|client| Arc::strong_count(client));
        (least_used.cloned(), clients.len() >= self.most)
    }

    fn share(&self, client: Client) -> Arc<Client> {
        let client = Arc::new(client);
        let mut clients = self.clients();
        if clients.len() < self.most {
            clients.push(client.clone());
        }
        client
    }

    fn clients(&self) -> MutexGuard<'_, Vec<Arc<Client>>> {
        locked(&self.clients)
    }
}
