//! The connections that read.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::error::{DbError, DbResult};
use rusqlite::Connection;
use tdg_service::ServiceError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task;

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

    /// Runs `look` on one state of the database, on a thread where it keeps nobody.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Connection) -> DbResult<T> + Send + 'static,
    ) -> DbResult<T> {
        let connection = self.take().await?;
        match task::spawn_blocking(move || connection.look(look)).await {
            Ok(outcome) => outcome,
            Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
            Err(_) => Err(closed()),
        }
    }

    /// The same for a look-up that takes less time than waking another thread.
    pub(super) async fn run_here<T>(
        &self,
        look: impl FnOnce(&Connection) -> DbResult<T>,
    ) -> DbResult<T> {
        self.take().await?.look(look)
    }

    /// The same for a single statement, which sees one state without a transaction around it.
    pub(super) async fn run_one_here<T>(
        &self,
        look: impl FnOnce(&Connection) -> DbResult<T>,
    ) -> DbResult<T> {
        look(self.take().await?.connection()?)
    }

    async fn take(&self) -> DbResult<Taken> {
        let permit = self
            .free
            .clone()
            .acquire_owned()
            .await
            .map_err(|_| closed())?;
        let connection = lock(&self.connections).pop();
        Ok(Taken {
            connection,
            from: self.connections.clone(),
            _permit: permit,
        })
    }
}

/// A connection that goes back to the others, also after a panic.
struct Taken {
    connection: Option<Connection>,
    from: Arc<Mutex<Vec<Connection>>>,
    /// Released after the connection is back.
    _permit: OwnedSemaphorePermit,
}

impl Taken {
    fn look<T>(&self, look: impl FnOnce(&Connection) -> DbResult<T>) -> DbResult<T> {
        let view = View::begin(self.connection()?)?;
        look(view.connection)
    }

    fn connection(&self) -> DbResult<&Connection> {
        self.connection.as_ref().ok_or_else(closed)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        lock(&self.from).extend(self.connection.take());
    }
}

/// One state of the database, for as long as it is looked at. A transaction of rusqlite's would be parsed each time.
struct View<'c> {
    connection: &'c Connection,
}

impl<'c> View<'c> {
    fn begin(connection: &'c Connection) -> rusqlite::Result<Self> {
        connection.prepare_cached("BEGIN")?.execute([])?;
        Ok(View { connection })
    }
}

impl Drop for View<'_> {
    fn drop(&mut self) {
        let end = self.connection.prepare_cached("ROLLBACK");
        if let Err(error) = end.and_then(|mut end| end.execute([])) {
            tracing::error!(%error, "a look-up was not ended");
        }
    }
}

fn lock(connections: &Mutex<Vec<Connection>>) -> MutexGuard<'_, Vec<Connection>> {
    connections.lock().unwrap_or_else(PoisonError::into_inner)
}

fn closed() -> DbError {
    let message = "the database is being closed; try again";
    DbError::Refused(ServiceError::Unavailable(message.to_owned()))
}
