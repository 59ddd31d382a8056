//! The connections that read.

use std::{
    panic::resume_unwind,
    sync::{Arc, Mutex, PoisonError},
};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tdg::{
    service::ServiceError,
    store::service::{Failure, Outcome},
};
use tokio::{sync::Semaphore, task};

/// As many look-ups at once as there are connections; others wait.
pub(super) struct Readers {
    free: Arc<Semaphore>,
    connections: Arc<Mutex<Vec<Connection>>>,
}

impl Readers {
    pub(super) fn new(connections: Vec<Connection>) -> Self {
        Readers {
            free: Arc::new(Semaphore::new(connections.len())),
            connections: Arc::new(Mutex::new(connections)),
        }
    }

    /// Runs `look` on one state of the database.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Connection) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let closed = || {
            let message = "the database is being closed; try again";
            Failure::Refused(ServiceError::Unavailable(message.to_owned()))
        };
        let permit = self
            .free
            .clone()
            .acquire_owned()
            .await
            .map_err(|_| closed())?;
        let connections = self.connections.clone();
        let looking = task::spawn_blocking(move || {
            let lock = || connections.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(connection) = lock().pop() else {
                return Err(closed());
            };
            let connection = GiveBack {
                connection: Some(connection),
                to: &connections,
            };
            let outcome = connection.look(look);
            drop(connection);
            drop(permit);
            outcome
        });
        match looking.await {
            Ok(outcome) => outcome,
            Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
            Err(_) => Err(closed()),
        }
    }
}

/// A connection that goes back to the others, also after a panic.
struct GiveBack<'a> {
    connection: Option<Connection>,
    to: &'a Mutex<Vec<Connection>>,
}

impl GiveBack<'_> {
    fn look<T>(&self, look: impl FnOnce(&Connection) -> Outcome<T>) -> Outcome<T> {
        let Some(connection) = &self.connection else {
            return Err(Failure::Refused(ServiceError::Unavailable(
                "no connection".to_owned(),
            )));
        };
        let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Deferred)?;
        look(&transaction)
    }
}

impl Drop for GiveBack<'_> {
    fn drop(&mut self) {
        let mut connections = self.to.lock().unwrap_or_else(PoisonError::into_inner);
        connections.extend(self.connection.take());
    }
}
