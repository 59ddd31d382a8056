//! Connections, and the ways to use one: a query or a transaction.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{
    Client, Connect, Hook, HookError, Manager, ManagerConfig, Metrics, Pool as Connections,
    RecyclingMethod, Runtime, StatementCache, Timeouts, TransactionBuilder,
};
use tdg_service::{Result, ServiceError};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_postgres::config::{SslMode, TargetSessionAttrs};
use tokio_postgres::{Config, IsolationLevel, NoTls, SimpleQueryMessage};

use super::address::Address;
use super::error::POOLER_FIX;
use super::hosts::{Doubt, HOST_TIMEOUT, Hosts};
use super::shared_connections::SharedConnections;
use super::{heartbeat, tls};
use crate::account::Account;
use crate::background::ending;
use crate::database::error::{DatabaseError, DatabaseResult, PostgresFailure};
use crate::database::large_writes::{LargeWrite, LargeWrites};
use crate::database::pending_operation::{DatabaseWork, PendingWork};
use crate::database::session::{
    Args, DatabaseFuture, PostgresConnection, SessionEngine, SessionWork, WorkResult,
};
use crate::fair_queue::{FairQueue, Turn};
use crate::metrics;

/// The maximum number of attempts when the database requests a retry, and the first pause.
const ATTEMPTS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(2);

/// The timeout for getting a connection, and for an answer on a shared one.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(10);

const BUSY: &str = "no connection to PostgreSQL became free in time; try again";

/// The time after which the database itself cancels a statement, or a transaction that waits for
/// its next one.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(60);

/// The timeout for the answer to a statement. A healthy database cancels it earlier.
const ANSWER_TIMEOUT: Duration = STATEMENT_TIMEOUT.saturating_add(CONNECTION_TIMEOUT);

const TRANSACTION_TIMEOUT: Duration = STATEMENT_TIMEOUT.saturating_mul(2);

/// One in this many connections is shared by short queries, if there are at least two.
const CONNECTIONS_PER_SHARED: usize = 4;

/// Connections to one database.
#[derive(Clone)]
pub(super) struct Pool {
    connections: Connections,
    shared: Arc<SharedConnections>,
    doubt: Arc<watch::Sender<Doubt>>,
    /// The timeout for an answer on a shared connection. With several hosts, another may take over
    /// when this one hangs.
    shared_timeout: Duration,
    /// Set if a pooler may give every transaction another session.
    pooled: bool,
    /// Permits for accounts to use exclusive connections.
    turns: FairQueue,
    /// The account's permit, held until its work has ended even if the caller is gone.
    _turn: Option<Arc<Turn>>,
    large: LargeWrites,
    _large: Option<Arc<LargeWrite>>,
}

impl Pool {
    pub(super) fn new(address: &Address, connections: usize) -> Result<Pool> {
        let mut config = address.config.clone();
        let has_several = has_several(&config);
        config.application_name("tdg-server");
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECTION_TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(CONNECTION_TIMEOUT);
        }
        let recycling_method = RecyclingMethod::Fast;
        let how = ManagerConfig { recycling_method };
        let doubt = Arc::new(watch::Sender::new(Doubt::default()));
        // PgBouncer refuses these as startup parameters.
        let setup = if address.pooled {
            String::new()
        } else {
            time_limits("SET")
        };
        let manager = match config.get_ssl_mode() {
            SslMode::Disable => {
                let hosts = Hosts::new(&config, NoTls, setup, doubt.clone());
                manage(hosts, config, how, &doubt)
            }
            _ => {
                let hosts = Hosts::new(&config, tls::connector(address)?, setup, doubt.clone());
                manage(hosts, config, how, &doubt)
            }
        };
        let built = build(manager, connections, doubt.clone());
        let shared = connections
            .div_ceil(CONNECTIONS_PER_SHARED)
            .min(connections.saturating_sub(1));
        let own = connections - shared;
        Ok(Pool {
            connections: built?,
            shared: Arc::new(SharedConnections::new(shared)),
            doubt,
            shared_timeout: if has_several {
                HOST_TIMEOUT
            } else {
                CONNECTION_TIMEOUT
            },
            pooled: address.pooled,
            // A single account leaves a connection to the others.
            turns: FairQueue::new(own, own.saturating_sub(1)),
            _turn: None,
            large: LargeWrites::new(),
            _large: None,
        })
    }

    /// Waits for an account's turn and returns the pool for its next work. The server's own work
    /// never waits.
    pub(super) async fn for_account(&self, account: Account) -> Result<Pool> {
        if account == Account::NONE {
            return Ok(self.clone());
        }
        let turn = timeout(CONNECTION_TIMEOUT, self.turns.take(account));
        let turn = metrics::DATABASE.wait(turn).await;
        let turn = turn.map_err(|_| ServiceError::unavailable(BUSY))??;
        Ok(Pool {
            _turn: Some(Arc::new(turn)),
            ..self.clone()
        })
    }

    /// Like `of`, for a write of this many bytes.
    pub(super) async fn of_write(&self, account: Account, bytes: usize) -> Result<Pool> {
        let large = timeout(CONNECTION_TIMEOUT, self.large.begin(account, bytes)).await;
        let large = large.map_err(|_| ServiceError::unavailable(BUSY))??;
        Ok(Pool {
            _large: large.map(Arc::new),
            ..self.for_account(account).await?
        })
    }

    /// Refuses a pooler in transaction mode that the URL doesn't mention. With one, two connections
    /// can have the same session.
    pub(super) async fn check_sessions(&self) -> Result<()> {
        if self.pooled || self.connections.status().max_size < 2 {
            return Ok(());
        }
        let session = async || -> DatabaseResult<_> {
            let client = self.connections.get().await?;
            let process = client.simple_query("SELECT pg_backend_pid()").await?;
            let process = process.iter().find_map(|message| match message {
                SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
                _ => None,
            });
            Ok((client, process))
        };
        let one = session().await.map_err(DatabaseError::into_error)?;
        // Without another connection, the error is noticed later.
        let Ok(other) = session().await else {
            return Ok(());
        };
        if one.1.is_some() && one.1 == other.1 {
            return Err(ServiceError::unavailable(format!(
                "PostgreSQL is behind a pooler in transaction mode: {POOLER_FIX}"
            )));
        }
        Ok(())
    }

    /// Runs a single query of a few rows on a shared connection. If that doesn't answer in time,
    /// later queries use another.
    ///
    /// Here and below, a retry runs `work` again.
    pub(super) async fn shared_query(&self, work: Arc<dyn DatabaseWork>) -> Result<()> {
        if self.pooled {
            // Its transaction has an exclusive connection.
            return self.query_as(work, DatabaseError::of_read).await;
        }
        let work = &work;
        retry(|| async {
            if let Some(since) = self.doubt.borrow().silent {
                self.shared.forget_older(since);
            }
            let shared = self.shared.client(&self.connections);
            let client = metrics::DATABASE.wait(shared).await?;
            let (pool, work) = (self.clone(), work.clone());
            run_to_completion(async move {
                let running = work.run(pool.session(&client, &client.statement_cache));
                match pool.answer(&client, pool.shared_timeout, running).await {
                    Some(result) => result.map_err(DatabaseError::of_read),
                    None => {
                        pool.shared.forget(client);
                        Err(PostgresFailure::Silent.into())
                    }
                }
            })
            .await
        })
        .await
    }

    /// Runs a single statement, or several independent ones. They may write, so they aren't retried
    /// when the connection is lost.
    pub(super) async fn query(&self, work: Arc<dyn DatabaseWork>) -> Result<()> {
        self.query_as(work, |error| error).await
    }

    /// Runs such statements and returns their result.
    pub(super) async fn find<A: Args, T: WorkResult>(
        &self,
        account: Account,
        args: A,
        work: SessionWork<A, T>,
    ) -> Result<T> {
        let pending = PendingWork::new(account, args, work);
        self.query(pending.clone()).await?;
        pending.take_result()
    }

    async fn query_as(
        &self,
        work: Arc<dyn DatabaseWork>,
        error: fn(DatabaseError) -> DatabaseError,
    ) -> Result<()> {
        let work = &work;
        retry(|| async {
            let client = metrics::DATABASE.wait(self.connections.get()).await?;
            let (pool, work) = (self.clone(), work.clone());
            run_to_completion(async move {
                let session = pool.session(&client, &client.statement_cache);
                let running = pool.in_one_session(&client, work.run(session));
                let result = pool.answer(&client, ANSWER_TIMEOUT, running).await;
                close_if_silent(client, result).map_err(error)
            })
            .await
        })
        .await
    }

    fn session<'a>(
        &self,
        client: &'a tokio_postgres::Client,
        statements: &'a StatementCache,
    ) -> SessionEngine<'a> {
        SessionEngine::Postgres(PostgresConnection {
            client,
            prepared: (!self.pooled).then_some(statements),
        })
    }

    /// Runs statements in one session. With a pooler, this takes a transaction.
    async fn in_one_session(
        &self,
        client: &Client,
        running: DatabaseFuture<'_, ()>,
    ) -> DatabaseResult<()> {
        if !self.pooled {
            return running.await;
        }
        let begin = format!("BEGIN; {}", time_limits("SET LOCAL"));
        client.batch_execute(&begin).await?;
        let result = running.await;
        if result.is_ok() {
            client.batch_execute("COMMIT").await?;
        } else {
            // If this fails, the connection is closed.
            drop(client.batch_execute("ROLLBACK").await);
        }
        result
    }

    /// Runs several statements that see the same state of the database.
    pub(super) async fn read_transaction(&self, work: Arc<dyn DatabaseWork>) -> Result<()> {
        self.transaction_of(work, TRANSACTION_TIMEOUT, snapshot)
            .await
    }

    /// Runs several statements, all or none.
    pub(super) async fn transaction(&self, work: Arc<dyn DatabaseWork>) -> Result<()> {
        self.transaction_of(work, TRANSACTION_TIMEOUT, |builder| builder)
            .await
    }

    /// Runs a transaction without a time limit, such as copying a table.
    pub(super) async fn long_transaction(&self, work: Arc<dyn DatabaseWork>) -> Result<()> {
        self.transaction_of(work, Duration::MAX, |builder| builder)
            .await
    }

    async fn transaction_of(
        &self,
        work: Arc<dyn DatabaseWork>,
        time: Duration,
        kind: for<'a> fn(TransactionBuilder<'a>) -> TransactionBuilder<'a>,
    ) -> Result<()> {
        let work = &work;
        retry(|| async {
            let mut client = metrics::DATABASE.wait(self.connections.get()).await?;
            let (pool, work) = (self.clone(), work.clone());
            run_to_completion(async move {
                let created = Client::metrics(&client).created;
                let whole = async {
                    let transaction = kind(client.build_transaction()).start().await?;
                    if pool.pooled {
                        transaction.batch_execute(&time_limits("SET LOCAL")).await?;
                    }
                    if time == Duration::MAX {
                        let unlimited = "SET LOCAL statement_timeout = 0";
                        transaction.batch_execute(unlimited).await?;
                    }
                    let statements = &transaction.statement_cache;
                    work.run(pool.session(transaction.client(), statements))
                        .await?;
                    Ok(transaction.commit().await?)
                };
                let result = pool.answer_of(created, time, whole).await;
                close_if_silent(client, result)
            })
            .await
        })
        .await
    }

    async fn answer<T>(
        &self,
        client: &Client,
        time: Duration,
        work: impl Future<Output = T>,
    ) -> Option<T> {
        self.answer_of(Client::metrics(client).created, time, work)
            .await
    }

    /// Returns the answer on a connection that was made at this time, or `None` if it doesn't come
    /// in time or the connection's host has been replaced.
    async fn answer_of<T>(
        &self,
        created: std::time::Instant,
        time: Duration,
        work: impl Future<Output = T>,
    ) -> Option<T> {
        let mut doubt = self.doubt.subscribe();
        let replaced = doubt.wait_for(|doubt| doubt.moved.is_some_and(|moved| created < moved));
        tokio::select! {
            biased;
            result = timeout(time, work) => {
                if result.is_err() {
                    let now = Some(std::time::Instant::now());
                    self.doubt.send_modify(|doubt| doubt.silent = now);
                }
                result.ok()
            }
            _ = replaced => None,
        }
    }
}

/// Returns the manager of connections. With several hosts, it also watches the one in use.
fn manage(
    hosts: impl Connect + Clone + 'static,
    config: Config,
    how: ManagerConfig,
    doubt: &Arc<watch::Sender<Doubt>>,
) -> Manager {
    let may_fail_over = config.get_target_session_attrs() == TargetSessionAttrs::ReadWrite;
    if may_fail_over && has_several(&config) {
        tokio::spawn(heartbeat::watch(
            hosts.clone(),
            config.clone(),
            doubt.clone(),
        ));
    }
    Manager::from_connect(config, hosts, how)
}

fn build(
    manager: Manager,
    connections: usize,
    doubt: Arc<watch::Sender<Doubt>>,
) -> Result<Connections> {
    let is_trusted = Hook::sync_fn(move |_, metrics: &Metrics| match doubt.borrow().silent {
        Some(since) if metrics.created < since => Err(HookError::message("in doubt")),
        _ => Ok(()),
    });
    let timeouts = Timeouts {
        wait: Some(CONNECTION_TIMEOUT),
        create: Some(CONNECTION_TIMEOUT),
        recycle: Some(CONNECTION_TIMEOUT),
    };
    let built = Connections::builder(manager)
        .max_size(connections)
        .timeouts(timeouts)
        .pre_recycle(is_trusted)
        .runtime(Runtime::Tokio1)
        .build();
    built.map_err(|error| ServiceError::unavailable(error.to_string()).caused_by(error))
}

fn has_several(config: &Config) -> bool {
    config.get_hosts().len().max(config.get_hostaddrs().len()) > 1
}

/// Returns the statements that set the time limits.
fn time_limits(set: &str) -> String {
    let limit = STATEMENT_TIMEOUT.as_millis();
    format!(
        "{set} statement_timeout = {limit}; {set} idle_in_transaction_session_timeout = {limit}"
    )
}

/// Configures a transaction that reads a single state of the database.
fn snapshot(builder: TransactionBuilder<'_>) -> TransactionBuilder<'_> {
    builder
        .isolation_level(IsolationLevel::RepeatableRead)
        .read_only(true)
}

/// Runs `work` to its end even if the caller gives up. Otherwise the connection would return to the
/// pool with an answer on its way, or one that never comes.
async fn run_to_completion(
    work: impl Future<Output = DatabaseResult<()>> + Send + 'static,
) -> DatabaseResult<()> {
    match tokio::spawn(work).await {
        Ok(result) => result,
        Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
        Err(_) => Err(ending().into()),
    }
}

/// Closes the connection if it didn't answer, instead of returning it to the pool.
fn close_if_silent(client: Client, result: Option<DatabaseResult<()>>) -> DatabaseResult<()> {
    result.unwrap_or_else(|| {
        drop(Client::take(client));
        Err(PostgresFailure::Silent.into())
    })
}

/// Retries an attempt, after a pause, while the database requests it.
async fn retry<F>(attempt: impl Fn() -> F) -> Result<()>
where
    F: Future<Output = DatabaseResult<()>>,
{
    let mut left = ATTEMPTS;
    let mut pause = PAUSE;
    loop {
        left -= 1;
        match attempt().await {
            Err(error) if error.is_retryable() && left > 0 => {
                tracing::debug!(?error, "retrying");
                sleep(pause).await;
                pause *= 2;
            }
            result => return result.map_err(DatabaseError::into_error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread;

    use futures_util::FutureExt;
    use futures_util::future::{BoxFuture, join_all};
    use tokio::time::{pause, resume};

    use super::*;

    /// Starts a database that accepts every connection and never answers a query.
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
                // The settings of the connection.
                let mut head = [0; 5];
                stream.read_exact(&mut head).unwrap();
                let [_, length @ ..] = head;
                let mut query = vec![0; u32::from_be_bytes(length) as usize - length.len()];
                stream.read_exact(&mut query).unwrap();
                // CommandComplete, ReadyForQuery.
                stream.write_all(b"C\0\0\0\x08SET\0Z\0\0\0\x05I").unwrap();
                open.push(stream);
            }
        });
        let url = format!("postgres://tdg@127.0.0.1:{port}/tdg?sslmode=disable");
        url.parse().unwrap()
    }

    /// Such as a host without power that a switch still answers for, or a frozen process.
    #[tokio::test]
    async fn a_host_that_says_nothing_leaves_time_for_the_next() {
        let mute = TcpListener::bind("127.0.0.1:0").unwrap();
        let first = mute.local_addr().unwrap().port();
        let answering = silent().config.get_ports()[0];
        let url = format!(
            "postgres://tdg@127.0.0.1:{first},127.0.0.1:{answering}/tdg?target_session_attrs=any"
        );
        let pool = Pool::new(&url.parse().unwrap(), 2).unwrap();
        drop(pool.connections.get().await.unwrap());
    }

    type Use = for<'a> fn(&'a Pool) -> BoxFuture<'a, Result<()>>;

    /// Every way to use a connection.
    const USES: [Use; 4] = [
        |pool| Box::pin(pool.shared_query(question())),
        |pool| Box::pin(pool.query(question())),
        |pool| Box::pin(pool.read_transaction(question())),
        |pool| Box::pin(pool.transaction(question())),
    ];

    fn question() -> Arc<dyn DatabaseWork> {
        PendingWork::new(Account::NONE, (), |session, ()| {
            Box::pin(async move { Ok(session.client()?.batch_execute("SELECT 1").await?) })
        })
    }

    /// Returns two connected pools: one without shared connections, one with a single one.
    async fn connected() -> [Pool; 2] {
        let address = silent();
        let pools = [1, 2].map(|connections| Pool::new(&address, connections).unwrap());
        for pool in &pools {
            drop(pool.connections.get().await.unwrap());
            assert_eq!(pool.connections.status().size, 1);
        }
        pools
    }

    // With paused time, tokio jumps to the next timer when the runtime is idle.

    #[tokio::test]
    async fn a_silent_connection_is_closed() {
        for use_connection in USES {
            for pool in connected().await {
                pause();
                let error = use_connection(&pool).await.unwrap_err();
                let expected = ServiceError::unavailable("PostgreSQL does not answer in time");
                assert_eq!(error, expected);
                assert_eq!(pool.connections.status().size, 0);
                resume();
            }
        }
    }

    #[tokio::test]
    async fn an_account_has_its_turn_until_its_work_ends_and_leaves_one_to_another() {
        let pool = Pool::new(&silent(), 4).unwrap();
        let open = [(); 2].map(|()| pool.connections.get());
        drop(join_all(open).await);
        pause();
        let [one, other] = [1, 2].map(Account);
        for _ in 0..2 {
            let work = pool.for_account(one).await.unwrap();
            let asked = work.query(question());
            // The caller gives up, and the database continues.
            timeout(PAUSE, asked).await.unwrap_err();
        }
        assert!(pool.for_account(one).now_or_never().is_none());
        assert!(pool.for_account(other).now_or_never().is_some());
    }

    #[tokio::test]
    async fn a_silent_connection_is_closed_also_after_its_caller_has_given_up() {
        for use_connection in USES {
            for pool in connected().await {
                pause();
                timeout(PAUSE, use_connection(&pool)).await.unwrap_err();
                assert_eq!(pool.connections.status().size, 1);
                sleep(TRANSACTION_TIMEOUT).await;
                assert_eq!(pool.connections.status().size, 0);
                resume();
            }
        }
    }
}
