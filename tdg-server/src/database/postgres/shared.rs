//! Connections that short statements share. A statement is sent without waiting for the answers of those
//! before it, so many travel together: for them and the database that is half of the work.

use std::sync::{Arc, Mutex, PoisonError};

use deadpool_postgres::{Client, Pool as Connections, PoolError};

/// As many connections at most, taken from a pool and never given back while they work.
pub(super) struct Shared {
    most: usize,
    clients: Mutex<Vec<Arc<Client>>>,
}

impl Shared {
    pub(super) fn new(most: usize) -> Self {
        Shared {
            most,
            clients: Mutex::default(),
        }
    }

    /// The connection that has least to do. While there are too few, whoever asks takes another from the
    /// pool and leaves it to those who come later.
    pub(super) async fn client(&self, connections: &Connections) -> Result<Arc<Client>, PoolError> {
        match self.least_used() {
            Some(client) => Ok(client),
            None => Ok(self.share(connections.get().await?)),
        }
    }

    fn least_used(&self) -> Option<Arc<Client>> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        clients.retain(|client| !client.is_closed());
        if clients.len() < self.most {
            return None;
        }
        clients
            .iter()
            .min_by_key(|client| Arc::strong_count(client))
            .cloned()
    }

    fn share(&self, client: Client) -> Arc<Client> {
        let client = Arc::new(client);
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() < self.most {
            clients.push(client.clone());
        }
        client
    }
}
