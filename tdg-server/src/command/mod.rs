//! The command line, with one file for each command.

mod accounts;
mod audit;
mod backup;
mod core_files;
mod deleted;
mod demo;
mod healthcheck;
mod keys;
mod open_files;
mod prune;
mod restore;
mod restored;
mod serve;
mod undelete;
mod verify;
mod webhooks;

use std::future::Future;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use serde_json::Value;
use tdg_service::Uuid;

use crate::account::Account;
use crate::config::{Config, ServerOptions, check_environment};
use crate::database::{self, AuditRecord, Database, Opened};

/// The server of tdg: definitions, ensembles and benchmarks for teams.
///
/// Without a command, it serves. Settings are read from the command line, the environment, and the
/// file of `--config`. The first of these that sets a value wins.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = false)]
// Settings are given before or after a command.
#[command(mut_args(|setting| setting.global(true)))]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,

    /// A TOML file of settings, named like the options but with `_` instead of `-`
    #[arg(long, env = "TDG_SERVER_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,

    #[command(flatten)]
    options: ServerOptions,
}

#[derive(Subcommand)]
enum Command {
    /// Serve requests (the default)
    Serve,
    /// Fill an empty database with a sample project, and serve it
    Demo,
    /// Bring the tables of the database up to date, and exit
    Migrate,
    /// Copy an SQLite database, even while a server uses it
    Backup {
        /// The file to create
        file: PathBuf,
    },
    /// Create, list and revoke API keys
    #[command(subcommand)]
    Keys(keys::KeysCommand),
    /// Create, list, limit, rename and delete accounts
    #[command(subcommand)]
    Accounts(accounts::AccountsCommand),
    /// Add, list and remove webhooks, and resend failed messages
    #[command(subcommand)]
    Webhooks(webhooks::WebhooksCommand),
    /// Print the audit log: changes and refusals, oldest first
    Audit(audit::AuditCommand),
    /// Remove old assertions, and ensembles and definitions that no benchmark needs
    Prune(prune::Prune),
    /// List deleted objects that can be restored, oldest first
    Deleted(deleted::DeletedCommand),
    /// Restore a deleted object, with everything below it
    Undelete(undelete::Undelete),
    /// Replace an SQLite database with a backup, while no server uses it
    Restore {
        /// The backup, which is kept
        file: PathBuf,
    },
    /// Mark the database as restored from a backup; run this before serving it
    Restored,
    /// Check that rows and outputs are intact; exits with 0 if they are
    Verify,
    /// Check that the server at the address of `--listen` is ready; exits with 0 if it is
    Healthcheck,
    /// Print the OpenAPI document of the interface
    Openapi,
}

/// Runs the command.
pub(crate) fn run() -> Result<()> {
    let line = CommandLine::parse();
    check_environment::<CommandLine>(
        std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()),
    )?;
    let config = Config::load(line.options, line.config.as_deref())?;
    match line.command.unwrap_or(Command::Serve) {
        Command::Serve => serve::serve(config),
        Command::Demo => {
            block_on(demo::fill(&config))?;
            serve::serve(config)
        }
        Command::Migrate => block_on(async {
            open(&config).await?;
            println!("the tables are up to date");
            Ok(())
        }),
        Command::Backup { file } => backup::backup(&config, &file),
        Command::Keys(command) => block_on(keys::run(command, &config)),
        Command::Accounts(command) => block_on(accounts::run(command, &config)),
        Command::Webhooks(command) => block_on(webhooks::run(command, &config)),
        Command::Audit(command) => block_on(audit::run(command, &config)),
        Command::Prune(prune) => block_on(prune::run(prune, &config)),
        Command::Deleted(command) => block_on(deleted::run(command, &config)),
        Command::Undelete(undelete) => block_on(undelete::run(undelete, &config)),
        Command::Restore { file } => block_on(restore::run(&config, &file)),
        Command::Restored => block_on(restored::run(&config)),
        Command::Verify => block_on(verify::run(&config)),
        Command::Healthcheck => healthcheck::healthcheck(config.listen),
        Command::Openapi => {
            println!("{:#}", crate::http::openapi_document());
            Ok(())
        }
    }
}

/// The time limit for draws and comparisons after everything else has shut down.
const ABANDONED_WORK_TIMEOUT: Duration = Duration::from_secs(1);

fn block_on<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let runtime = runtime.context("threads can't be started")?;
    let done = runtime.block_on(work);
    runtime.shutdown_timeout(ABANDONED_WORK_TIMEOUT);
    done
}

async fn open(config: &Config) -> Result<Opened> {
    let opened = database::open(
        &config.database,
        config.replica.as_ref(),
        config.connections,
    )
    .await;
    Ok(opened?)
}

/// Opens a database that a server has created.
async fn open_existing(config: &Config) -> Result<Opened> {
    database::require(&config.database).await?;
    open(config).await
}

/// Adds an operator's command to the audit log, with the kind of an object and the object.
async fn note(
    database: &Database,
    action: impl Into<String>,
    account: Option<Account>,
    about: Option<(&str, Uuid)>,
) -> Result<()> {
    let record = AuditRecord {
        kind: about.map(|(kind, _)| kind.to_owned()),
        object: about.map(|(_, object)| object),
        ..AuditRecord::of_command(action.into(), account, None)
    };
    Ok(database.add_audit(vec![record]).await?)
}

fn print_json(list: Vec<Value>) {
    println!("{:#}", Value::Array(list));
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;
    use tokio::task::spawn_blocking;

    use super::*;

    #[test]
    fn abandoned_work_does_not_keep_the_process_alive() {
        let (finish, unfinished) = oneshot::channel::<()>();
        let done = block_on(async {
            let (begin, begun) = oneshot::channel();
            spawn_blocking(|| {
                begin.send(()).unwrap();
                let _ = unfinished.blocking_recv();
            });
            Ok(begun.await?)
        });
        done.unwrap();
        assert!(!finish.is_closed(), "the work has ended");
    }
}
