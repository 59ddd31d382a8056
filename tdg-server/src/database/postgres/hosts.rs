//! New connections, and the choice among the hosts of an address.

use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use deadpool_postgres::Connect;
use futures_util::future::BoxFuture;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::config::{Host, LoadBalanceHosts};
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::{Client, Config, Error, Socket};

use crate::lock::locked;

/// The time limit for one of several hosts to connect, authenticate and report if it is read-write.
/// It is a fraction of the limit for a connection, so that each host gets its turn.
pub(super) const HOST_TIMEOUT: Duration = Duration::from_secs(2);

/// The time when connections became doubtful. Later ones aren't.
#[derive(Clone, Copy, Default)]
pub(super) struct Doubt {
    /// A connection didn't answer: idle ones are closed.
    pub(super) silent: Option<Instant>,
    /// New connections go to another host than before: active ones are closed too.
    pub(super) moved: Option<Instant>,
}

/// Connects to the first host that answers. A host whose last failure took long, because it hangs
/// or can't be reached, is tried last.
#[derive(Clone)]
pub(super) struct Hosts<T> {
    tls: T,
    /// The statements that each connection starts with.
    setup: String,
    state: Arc<HostsState>,
}

struct HostsState {
    hosts: Vec<Config>,
    /// The time that the last attempt on each host took to fail, or zero after a success.
    costs: Mutex<Vec<Duration>>,
    /// The host of the latest connection, and when it was made.
    current: Mutex<Option<(usize, Instant)>>,
    doubt: Arc<watch::Sender<Doubt>>,
}

impl<T> Hosts<T> {
    pub(super) fn new(
        config: &Config,
        tls: T,
        setup: String,
        doubt: Arc<watch::Sender<Doubt>>,
    ) -> Self {
        let hosts = each_host(config);
        let state = HostsState {
            costs: Mutex::new(vec![Duration::ZERO; hosts.len()]),
            current: Mutex::default(),
            hosts,
            doubt,
        };
        Hosts {
            tls,
            setup,
            state: Arc::new(state),
        }
    }
}

impl<T> Connect for Hosts<T>
where
    T: MakeTlsConnect<Socket> + Clone + Sync + Send + 'static,
    T::Stream: Sync + Send,
    T::TlsConnect: Sync + Send,
    <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
{
    fn connect(&self, _: &Config) -> BoxFuture<'_, Result<(Client, JoinHandle<()>), Error>> {
        Box::pin(async move {
            let state = &self.state;
            let mut error = None;
            for index in state.order() {
                let config = &state.hosts[index];
                let began = Instant::now();
                let connecting = connect(config, self.tls.clone(), &self.setup);
                let result = if state.hosts.len() == 1 {
                    connecting.await
                } else {
                    let limit = config.get_connect_timeout().copied();
                    let limit = limit.map_or(HOST_TIMEOUT, |limit| limit.min(HOST_TIMEOUT));
                    match timeout(limit, connecting).await {
                        Ok(result) => result,
                        Err(_) => Err(Error::__private_api_timeout()),
                    }
                };
                match result {
                    Ok(connection) => {
                        state.succeeded(index);
                        return Ok(connection);
                    }
                    Err(failure) => {
                        tracing::debug!(host = %NamedHost(config), error = ?failure, "no connection");
                        locked(&state.costs)[index] = began.elapsed();
                        error = Some(failure);
                    }
                }
            }
            match error {
                Some(error) => Err(error),
                // Without a host, the driver reports the error.
                None => connect(&Config::new(), self.tls.clone(), "").await,
            }
        })
    }
}

impl HostsState {
    fn order(&self) -> Vec<usize> {
        let mut costs = locked(&self.costs);
        // A hanging host would take long to fail.
        let silent = self.doubt.borrow().silent;
        if let Some((current, since)) = *locked(&self.current)
            && silent.is_some_and(|silent| since < silent)
        {
            costs[current] = HOST_TIMEOUT;
        }
        let mut order: Vec<usize> = (0..self.hosts.len()).collect();
        order.sort_by_key(|&index| costs[index]);
        order
    }

    fn succeeded(&self, index: usize) {
        locked(&self.costs)[index] = Duration::ZERO;
        let now = Instant::now();
        let previous = locked(&self.current).replace((index, now));
        if previous.is_some_and(|(previous, _)| previous != index) {
            tracing::warn!(host = %NamedHost(&self.hosts[index]), "connections go to another host");
            self.doubt.send_replace(Doubt {
                silent: Some(now),
                moved: Some(now),
            });
        }
    }
}

async fn connect<T>(config: &Config, tls: T, setup: &str) -> Result<(Client, JoinHandle<()>), Error>
where
    T: MakeTlsConnect<Socket>,
    T::Stream: Send + 'static,
{
    let (client, connection) = config.connect(tls).await?;
    let task = tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(?error, "a connection ended");
        }
    });
    client.batch_execute(setup).await?;
    Ok((client, task))
}

/// Returns a configuration for each of several hosts.
fn each_host(config: &Config) -> Vec<Config> {
    let (names, addresses) = (config.get_hosts(), config.get_hostaddrs());
    let ports = config.get_ports();
    let count = names.len().max(addresses.len());
    let is_consistent = [names.len(), addresses.len()]
        .iter()
        .all(|&len| len == 0 || len == count)
        && (ports.len() < 2 || ports.len() == count);
    if count < 2 || !is_consistent {
        // The driver reports the mismatch.
        return vec![config.clone()];
    }
    let mut order: Vec<usize> = (0..count).collect();
    if config.get_load_balance_hosts() == LoadBalanceHosts::Random {
        let first = std::process::id() as usize % count;
        order.rotate_left(first);
    }
    let host = |index| {
        let port = ports.get(index).or(ports.first()).copied();
        let address = addresses.get(index).copied();
        only(config, names.get(index), address, port)
    };
    order.into_iter().map(host).collect()
}

/// Copies the configuration for a single host. The driver can't remove hosts.
fn only(all: &Config, name: Option<&Host>, address: Option<IpAddr>, port: Option<u16>) -> Config {
    let mut one = Config::new();
    match name {
        Some(Host::Tcp(name)) => drop(one.host(name)),
        #[cfg(unix)]
        Some(Host::Unix(path)) => drop(one.host_path(path)),
        None => {}
    }
    if let Some(address) = address {
        one.hostaddr(address);
    }
    if let Some(port) = port {
        one.port(port);
    }
    if let Some(user) = all.get_user() {
        one.user(user);
    }
    if let Some(password) = all.get_password() {
        one.password(password);
    }
    if let Some(database) = all.get_dbname() {
        one.dbname(database);
    }
    if let Some(options) = all.get_options() {
        one.options(options);
    }
    if let Some(name) = all.get_application_name() {
        one.application_name(name);
    }
    if let Some(limit) = all.get_connect_timeout() {
        one.connect_timeout(*limit);
    }
    if let Some(limit) = all.get_tcp_user_timeout() {
        one.tcp_user_timeout(*limit);
    }
    if let Some(interval) = all.get_keepalives_interval() {
        one.keepalives_interval(interval);
    }
    if let Some(retries) = all.get_keepalives_retries() {
        one.keepalives_retries(retries);
    }
    one.ssl_mode(all.get_ssl_mode())
        .ssl_negotiation(all.get_ssl_negotiation())
        .channel_binding(all.get_channel_binding())
        .keepalives(all.get_keepalives())
        .keepalives_idle(all.get_keepalives_idle())
        .target_session_attrs(all.get_target_session_attrs());
    one
}

/// The host of a configuration, formatted for messages.
struct NamedHost<'a>(&'a Config);

impl fmt::Display for NamedHost<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0.get_hosts().first(), self.0.get_hostaddrs().first()) {
            (Some(Host::Tcp(name)), _) => f.write_str(name)?,
            #[cfg(unix)]
            (Some(Host::Unix(path)), _) => write!(f, "{}", path.display())?,
            (None, Some(address)) => write!(f, "{address}")?,
            (None, None) => f.write_str("no host")?,
        }
        let port = self.0.get_ports().first();
        write!(f, ":{}", port.unwrap_or(&5432))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_went_silent_is_tried_after_the_others() {
        let config = "host=a,b".parse().unwrap();
        let doubt = Arc::new(watch::Sender::new(Doubt::default()));
        let state = Hosts::new(&config, tokio_postgres::NoTls, String::new(), doubt.clone()).state;
        state.succeeded(0);
        assert_eq!(state.order(), [0, 1]);
        doubt.send_modify(|doubt| doubt.silent = Some(Instant::now()));
        assert_eq!(state.order(), [1, 0]);
        // The other one took over, and the first still hangs.
        state.succeeded(1);
        assert_eq!(state.order(), [1, 0]);
        state.succeeded(0);
        assert_eq!(state.order(), [0, 1]);
    }
}
