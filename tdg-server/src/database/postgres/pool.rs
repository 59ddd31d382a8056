//! Connections, and what is done on one: a statement, a view, a unit of writing.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{
    Client, Manager, ManagerConfig, Pool as Connections, RecyclingMethod, Runtime, Timeouts,
    Transaction, TransactionBuilder,
};
use futures_util::future::BoxFuture;
use tdg_service::{Result, ServiceError};
use tokio::time::error::Elapsed;
use tokio::time::{sleep, timeout};
use tokio_postgres::config::SslMode;
use tokio_postgres::{IsolationLevel, NoTls};

use super::address::Address;
use super::failure::{Failure, Outcome};
use super::shared::Shared;
use super::tls;

/// How often something is done again that the database asks to repeat, and how long the first pause is.
const ATTEMPTS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(2);

/// How long to wait for a connection, or for an answer on one that is shared.
const CONNECTION: Duration = Duration::from_secs(10);

/// How long a statement may take, or a unit wait for its next one, before the database itself gives it up.
const STATEMENT: Duration = Duration::from_secs(60);

/// How long to wait for the answer to one: of a database that is well, it comes before.
const ANSWER: Duration = STATEMENT.saturating_add(CONNECTION);

/// How long to wait for several.
const UNIT: Duration = STATEMENT.saturating_mul(2);

/// What something is done with.
pub(super) trait About: Send + Sync + 'static {}

impl<A: Send + Sync + 'static> About for A {}

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
    pub(super) async fn look_up<A: About, T: Send + 'static>(
        &self,
        about: A,
        work: for<'a> fn(&'a Client, &'a A) -> Work<'a, T>,
    ) -> Result<T> {
        let about = &Arc::new(about);
        repeated(|| async {
            let client = self.shared.client(&self.connections).await?;
            let (shared, about) = (self.shared.clone(), about.clone());
            to_its_end(async move {
                match timeout(CONNECTION, work(&client, &about)).await {
                    Ok(outcome) => outcome.map_err(Failure::of_look_up),
                    Err(_) => {
                        shared.forget(client);
                        Err(Failure::Silent)
                    }
                }
            })
            .await
        })
        .await
    }

    /// A single statement, or several of which each is whole. It may write, so it isn't asked again when its connection
    /// is lost.
    pub(super) async fn statement<A: About, T: Send + 'static>(
        &self,
        about: A,
        work: for<'a> fn(&'a Client, &'a A) -> Work<'a, T>,
    ) -> Result<T> {
        let about = &Arc::new(about);
        repeated(|| async {
            let client = self.connections.get().await?;
            let about = about.clone();
            to_its_end(async move {
                let done = timeout(ANSWER, work(&client, &about)).await;
                in_time(client, done)
            })
            .await
        })
        .await
    }

    /// Several statements that see one state of the database.
    pub(super) async fn view<A: About, T: Send + 'static>(
        &self,
        about: A,
        work: for<'a> fn(&'a Transaction<'a>, &'a A) -> Work<'a, T>,
    ) -> Result<T> {
        self.unit(about, of_one_state, work).await
    }

    /// Several statements that are all done or none.
    pub(super) async fn write<A: About, T: Send + 'static>(
        &self,
        about: A,
        work: for<'a> fn(&'a Transaction<'a>, &'a A) -> Work<'a, T>,
    ) -> Result<T> {
        self.unit(about, |unit| unit, work).await
    }

    async fn unit<A: About, T: Send + 'static>(
        &self,
        about: A,
        of_kind: for<'a> fn(TransactionBuilder<'a>) -> TransactionBuilder<'a>,
        work: for<'a> fn(&'a Transaction<'a>, &'a A) -> Work<'a, T>,
    ) -> Result<T> {
        let about = &Arc::new(about);
        repeated(|| async {
            let mut client = self.connections.get().await?;
            let about = about.clone();
            to_its_end(async move {
                let whole = async {
                    let unit = of_kind(client.build_transaction()).start().await?;
                    let done = work(&unit, &about).await?;
                    unit.commit().await?;
                    Ok(done)
                };
                let done = timeout(UNIT, whole).await;
                in_time(client, done)
            })
            .await
        })
        .await
    }
}

/// One that only looks, at a single state of the database.
fn of_one_state(unit: TransactionBuilder<'_>) -> TransactionBuilder<'_> {
    unit.isolation_level(IsolationLevel::RepeatableRead)
        .read_only(true)
}

/// Does something to its end, also when whoever asked for it gives up before: or the connection would be given
/// back while an answer is on its way, or none ever comes.
async fn to_its_end<T: Send + 'static>(
    work: impl Future<Output = Outcome<T>> + Send + 'static,
) -> Outcome<T> {
    match tokio::spawn(work).await {
        Ok(outcome) => outcome,
        Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
        Err(_) => {
            let ending = "the server is ending; try again".to_owned();
            Err(ServiceError::Unavailable(ending).into())
        }
    }
}

/// What was answered. A connection on which nothing was is closed, not given back.
fn in_time<T>(client: Client, answer: std::result::Result<Outcome<T>, Elapsed>) -> Outcome<T> {
    answer.unwrap_or_else(|_| {
        drop(Client::take(client));
        Err(Failure::Silent)
    })
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

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread;

    use tokio::time::{pause, resume};

    use super::*;

    /// A database that lets everybody in, and then says nothing.
    fn silent() -> Address {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            let mut open = Vec::new();
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut length = [0; 4];
                stream.read_exact(&mut length).unwrap();
                let mut greeting = vec![0; u32::from_be_bytes(length) as usize - length.len()];
                stream.read_exact(&mut greeting).unwrap();
                // AuthenticationOk, ReadyForQuery.
                stream
                    .write_all(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I")
                    .unwrap();
                open.push(stream);
            }
        });
        let url = format!("postgres://tdg@127.0.0.1:{port}/tdg?sslmode=disable");
        url.parse().unwrap()
    }

    type Way = for<'a> fn(&'a Pool) -> BoxFuture<'a, Result<()>>;

    const WAYS: [Way; 4] = [
        |pool| Box::pin(pool.look_up((), |client, ()| Box::pin(ask(client)))),
        |pool| Box::pin(pool.statement((), |client, ()| Box::pin(ask(client)))),
        |pool| Box::pin(pool.view((), |_, ()| Box::pin(async { Ok(()) }))),
        |pool| Box::pin(pool.write((), |_, ()| Box::pin(async { Ok(()) }))),
    ];

    async fn ask(client: &Client) -> Outcome<()> {
        Ok(client.batch_execute("SELECT 1").await?)
    }

    /// Pools that have a connection, of which none or one is shared.
    async fn connected() -> [Pool; 2] {
        let address = silent();
        let pools = [1, 2].map(|connections| Pool::new(&address, connections).unwrap());
        for pool in &pools {
            drop(pool.connections.get().await.unwrap());
            assert_eq!(pool.connections.status().size, 1);
        }
        pools
    }

    // Where time is paused, it goes on to what is waited for next, as soon as nothing else is to be done.

    #[tokio::test]
    async fn a_connection_that_says_nothing_is_closed() {
        for ask in WAYS {
            for pool in connected().await {
                pause();
                let said = ask(&pool).await.unwrap_err();
                let silence = "PostgreSQL does not answer in time".to_owned();
                assert_eq!(said, ServiceError::Unavailable(silence));
                assert_eq!(pool.connections.status().size, 0);
                resume();
            }
        }
    }

    #[tokio::test]
    async fn a_connection_that_says_nothing_is_closed_even_if_nobody_waits_for_it_any_more() {
        for ask in WAYS {
            for pool in connected().await {
                pause();
                timeout(PAUSE, ask(&pool)).await.unwrap_err();
                assert_eq!(pool.connections.status().size, 1);
                sleep(UNIT).await;
                assert_eq!(pool.connections.status().size, 0);
                resume();
            }
        }
    }
}
