//! `serve`: runs until SIGTERM or SIGINT.

use std::io::IsTerminal;
use std::sync::Arc;

use anyhow::{Context, Result};
use axum::Router;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::Instant;
use tracing_subscriber::EnvFilter;

use super::{block_on, core_files, keys, open, open_files};
use crate::accounts::AccountCache;
use crate::config::{Config, LogFormat};
use crate::database::{Database, Opened, reserve};
use crate::http::{App, Server, metrics_router, router};
use crate::journal::AuditJournal;
use crate::operations::{Operations, Workers};
use crate::traces::Traces;
use crate::{metrics, upkeep, webhook_delivery};

pub(super) fn serve(config: Config) -> Result<()> {
    metrics::started();
    start_log(&config)?;
    core_files::forbid();
    open_files::allow(config.limits.connections);
    block_on(run(config))
}

async fn run(config: Config) -> Result<()> {
    let _lock = reserve(&config.database)?;
    let traces = Traces::start(config.otlp.as_deref())?;
    let Opened { database, new } = open(&config).await?;
    if new {
        show_first_key(&database).await?;
    }
    let workers = Workers::new(config.workers);
    let journal = AuditJournal::start(database.clone(), config.keep_audit);
    let operations = Operations::new(
        database.clone(),
        workers,
        config.accounts.clone(),
        config.max_definition,
    );
    start_chores(&database, operations.accounts.clone(), &config);
    let app = App::new(
        operations,
        config.bodies,
        config.proxies.clone(),
        traces,
        journal,
        config.has_pages,
    );

    let asked_to_end = asked_to_end()?;
    let metrics = match config.metrics {
        Some(address) => Some(bind(address, metrics_router(app.clone()), &config).await?),
        None => None,
    };
    let routes = router(app.clone());
    let server = bind(config.listen, routes, &config).await?;
    // This line and the first key go to stdout, for the operator; the log goes to stderr.
    println!("tdg-server listens on http://{}", address(&server)?);
    if let Some(metrics) = &metrics {
        println!("metrics are on http://{}/metrics", address(metrics)?);
    }
    let metrics = metrics.map(Server::start);
    let server = server.start();

    asked_to_end.await;
    tracing::info!("shutting down: no new connections are accepted");
    let deadline = Instant::now() + config.ending;
    app.end();
    server.end(deadline).await;
    // Ended last, so that it reports in the meantime that the server isn't ready.
    if let Some(metrics) = metrics {
        metrics.end(deadline).await;
    }
    app.end_records().await;
    tracing::info!("shut down");
    Ok(())
}

/// Starts the background tasks.
fn start_chores(database: &Arc<Database>, accounts: Arc<AccountCache>, config: &Config) {
    let (limits, keep) = (config.accounts.clone(), config.keep_deleted);
    tokio::spawn(upkeep::run(database.clone(), accounts, limits, keep));
    tokio::spawn(webhook_delivery::run(
        database.clone(),
        config.webhooks.clone(),
    ));
}

async fn bind(address: std::net::SocketAddr, router: Router, config: &Config) -> Result<Server> {
    let bound = Server::bind(address, router, config.limits).await;
    bound.with_context(|| format!("can't listen on {address}"))
}

fn address(server: &Server) -> Result<std::net::SocketAddr> {
    server.address().context("the address is unknown")
}

/// Waits for SIGTERM or SIGINT, which no longer end the process on their own.
fn asked_to_end() -> Result<impl Future<Output = ()>> {
    let listen = |kind| signal(kind).context("signals can't be received");
    let (mut terminate, mut interrupt) = (
        listen(SignalKind::terminate())?,
        listen(SignalKind::interrupt())?,
    );
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

async fn show_first_key(database: &Database) -> Result<()> {
    let key = keys::make(database, "default", keys::KeyIssue::for_everything("first")).await?;
    println!(
        "the database is new. Its first API key, printed only this once: {}",
        key.reveal()
    );
    Ok(())
}

fn start_log(config: &Config) -> Result<()> {
    let filter = EnvFilter::try_new(&config.log);
    let filter = filter.with_context(|| format!("`{}` is not a log level", config.log))?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // Otherwise, a failed write to a full disk would be reported to the same disk, and panic.
        .log_internal_errors(false)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false);
    match config.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
    Ok(())
}
