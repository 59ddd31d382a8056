//! Connections that short statements share. A statement is sent without waiting for the answers of those
//! before it, so many travel together.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use deadpool_postgres::{Client, Pool as Connections, PoolError, Timeouts};

/// How long to make do with the connections there are, when no further one could be had.
const PAUSE: Duration = Duration::from_secs(1);

/// As many connections at most, taken from a pool and never given back while they work.
pub(super) struct Shared {
    most: usize,
    clients: Mutex<Vec<Arc<Client>>>,
    /// Held by whoever takes a further one from the pool. It tells when there was none.
    filling: tokio::sync::Mutex<Option<Instant>>,
}

impl Shared {
    pub(super) fn new(most: usize) -> Self {
        Shared {
            most,
            clients: Mutex::default(),
            filling: tokio::sync::Mutex::default(),
        }
    }

    /// The connection that fewest wait for. Where there is none, or another can be had at once, it is taken
    /// from the pool and left to those who come later.
    pub(super) async fn client(&self, connections: &Connections) -> Result<Arc<Client>, PoolError> {
        let (least_used, are_enough) = self.least_used();
        let Some(client) = least_used else {
            return Ok(self.share(connections.get().await?));
        };
        if are_enough {
            return Ok(client);
        }
        // The others go on meanwhile with what there is.
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
                tracing::debug!(%error, "no further connection can be shared");
                *failed = Some(Instant::now());
                Ok(client)
            }
        }
    }

    /// Gives one to nobody any more. The last who waits for it closes it.
    pub(super) fn forget(&self, client: Arc<Client>) {
        self.clients().retain(|other| !Arc::ptr_eq(other, &client));
        if let Some(client) = Arc::into_inner(client) {
            drop(Client::take(client));
        }
    }

    /// And whether there are as many as there may be.
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
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
