//! Connections, and what is done on one: a statement, a view, a unit of writing.

use std::{sync::Arc, time::Duration};

use deadpool_postgres::{
    Client, Manager, ManagerConfig, Pool as Connections, RecyclingMethod, Runtime, Timeouts,
    Transaction,
};
use futures_util::future::BoxFuture;
use tdg::service::{Result, ServiceError};
use tokio::time::{sleep, timeout};
use tokio_postgres::{IsolationLevel, NoTls, config::SslMode};

use super::{
    address::Address,
    failure::{Failure, Outcome},
    shared::Shared,
    tls,
};

/// How often something is done again that the database asks to repeat, and how long the first pause is.
const ATTEMPTS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(2);

/// How long to wait for a connection, or for an answer on one that is shared; and for a statement, or for the next one
/// of a unit.
const CONNECTION: Duration = Duration::from_secs(10);
const STATEMENT: Duration = Duration::from_secs(60);

/// What is done on a connection.
pub(super) type Work<'a, T> = BoxFuture<'a, Outcome<T>>;

/// Of so many connections one is shared by short statements, if there are two or more.
const FOR_ONE_SHARED: usize = 4;

/// Connections to one database.
#[derive(Clone)]
pub(super) struct Pool {
    connections: Connections,
    shared: Arc<Shared>,
}

impl Pool {
    pub(super) fn new(address: &Address, connections: usize) -> Result<Pool> {
        let mut config = address.config.clone();
        let options = config.get_options().map(|options| format!("{options} "));
        let limit = STATEMENT.as_millis();
        config.options(format!(
            "{}-c statement_timeout={limit} -c idle_in_transaction_session_timeout={limit}",
            options.unwrap_or_default()
        ));
        config.application_name("tdg-server");
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECTION);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(CONNECTION);
        }
        let recycling_method = RecyclingMethod::Fast;
        let how = ManagerConfig { recycling_method };
        let manager = match config.get_ssl_mode() {
            SslMode::Disable => Manager::from_config(config, NoTls, how),
            _ => Manager::from_config(config, tls::connector(address)?, how),
        };
        let timeouts = Timeouts {
            wait: Some(CONNECTION),
            create: Some(CONNECTION),
            recycle: Some(CONNECTION),
        };
        let built = Connections::builder(manager)
            .max_size(connections)
            .timeouts(timeouts)
            .runtime(Runtime::Tokio1)
            .build();
        let shared = connections
            .div_ceil(FOR_ONE_SHARED)
            .min(connections.saturating_sub(1));
        let connections = built.map_err(|error| ServiceError::Unavailable(error.to_string()))?;
        Ok(Pool {
            connections,
            shared: Arc::new(Shared::new(shared)),
        })
    }

    /// A single look-up of a few rows, which shares a connection with others. What is stuck there, behind
    /// something else or with the connection, isn't waited for long, and the next ones go another way.
    ///
    /// `work` is done with `about`, here and below: it can be done more than once.
    pub(super) async fn look_up<A, T>(
        &self,
        about: A,
        work: for<'a> fn(&'a Client, &'a A) -> Work<'a, T>,
    ) -> Result<T> {
        repeated(|| async {
            let client = self.shared.client(&self.connections).await?;
            match timeout(CONNECTION, work(&client, &about)).await {
                Ok(outcome) => outcome.map_err(Failure::of_look_up),
                Err(_) => {
                    self.shared.forget(client);
                    Err(Failure::Silent)
                }
            }
        })
        .await
    }

    /// A single statement, or several of which each is whole. It may write, so it isn't asked again when its connection
    /// is lost. Of a database that is well, the answer comes within the time that a statement may take.
    pub(super) async fn statement<A, T>(
        &self,
        about: A,
        work: for<'a> fn(&'a Client, &'a A) -> Work<'a, T>,
    ) -> Result<T> {
        repeated(|| async {
            let client = self.connections.get().await?;
            match timeout(STATEMENT + CONNECTION, work(&client, &about)).await {
                Ok(outcome) => outcome,
                Err(_) => {
                    // It is closed, not given back.
                    drop(Client::take(client));
                    Err(Failure::Silent)
                }
            }
        })
        .await
    }

    /// Several statements that see one state of the database.
    pub(super) async fn view<A, T>(
        &self,
        about: A,
        work: for<'a> fn(&'a Transaction<'a>, &'a A) -> Work<'a, T>,
    ) -> Result<T> {
        repeated(|| async {
            let mut client = self.connections.get().await?;
            let view = client
                .build_transaction()
                .isolation_level(IsolationLevel::RepeatableRead)
                .read_only(true)
                .start()
                .await?;
            let seen = work(&view, &about).await?;
            view.commit().await?;
            Ok(seen)
        })
        .await
    }

    /// Several statements that are all done or none.
    pub(super) async fn write<A, T>(
        &self,
        about: A,
        work: for<'a> fn(&'a Transaction<'a>, &'a A) -> Work<'a, T>,
    ) -> Result<T> {
        repeated(|| async {
            let mut client = self.connections.get().await?;
            let unit = client.transaction().await?;
            let done = work(&unit, &about).await?;
            unit.commit().await?;
            Ok(done)
        })
        .await
    }
}

/// What an attempt comes to, which is made again, after a pause, while the database asks for it.
async fn repeated<T, F>(attempt: impl Fn() -> F) -> Result<T>
where
    F: Future<Output = Outcome<T>>,
{
    let mut left = ATTEMPTS;
    let mut pause = PAUSE;
    loop {
        left -= 1;
        match attempt().await {
            Err(failure) if failure.is_passing() && left > 0 => {
                tracing::debug!(?failure, "once more");
                sleep(pause).await;
                pause *= 2;
            }
            outcome => return outcome.map_err(Failure::into_error),
        }
    }
}
