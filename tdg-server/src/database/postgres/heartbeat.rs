//! A connection that only checks the host in use. With several hosts, it soon notices that the host
//! hangs or has become a standby, even while all other connections run long statements.

use std::sync::Arc;
use std::time::{Duration, Instant};

use deadpool_postgres::Connect;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_postgres::{Client, Config, SimpleQueryMessage};

use super::hosts::{Doubt, HOST_TIMEOUT};

/// The pause after an answer, and after a failure to reach any host.
const INTERVAL: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(200);

/// Watches the host in use while the server runs. If it doesn't answer, this looks for a new
/// connection. If that leads to another host, connections to the former are closed.
pub(super) async fn watch(hosts: impl Connect, config: Config, doubt: Arc<watch::Sender<Doubt>>) {
    loop {
        let Ok((client, _)) = hosts.connect(&config).await else {
            sleep(PAUSE).await;
            continue;
        };
        while is_primary(&client).await {
            sleep(INTERVAL).await;
        }
        let now = Some(Instant::now());
        doubt.send_modify(|doubt| doubt.silent = now);
        tracing::warn!("the host of the database does not answer, or is no longer the primary");
    }
}

async fn is_primary(client: &Client) -> bool {
    let asked = client.simple_query("SHOW transaction_read_only");
    let Ok(Ok(answer)) = timeout(HOST_TIMEOUT, asked).await else {
        return false;
    };
    answer.iter().any(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0) == Some("off"),
        _ => false,
    })
}
