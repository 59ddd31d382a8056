//! The command line: one file a command.

mod healthcheck;
mod keys;
mod open_files;
mod serve;

use std::future::Future;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};
use tdg_service::ServiceError;

use crate::config::{Config, Options, check_environment};
use crate::database::{self, Opened};

/// The server of tdg: definitions, ensembles and benchmarks for teams.
///
/// Without a command it serves. Settings are taken from the command line, else the environment, else the
/// file of `--config`, else they have their defaults.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = false)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,

    /// A TOML file with settings, named as the options with `_` for `-`
    #[arg(long, env = "TDG_SERVER_CONFIG", value_name = "FILE", global = true)]
    config: Option<PathBuf>,

    #[command(flatten)]
    options: Options,
}

#[derive(Subcommand)]
enum Command {
    /// Answer requests (the default)
    Serve,
    /// Bring the tables of the database up to date, and end
    Migrate,
    /// Make, list and revoke API keys
    #[command(subcommand)]
    Keys(keys::Keys),
    /// Ask the server at the address of `--listen` whether it is ready; the exit code is the answer
    Healthcheck,
    /// Print the OpenAPI document of the interface
    Openapi,
}

/// Does what the command line says.
pub(crate) fn run() -> Result<(), String> {
    let line = CommandLine::parse();
    check_environment::<CommandLine>(
        std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()),
    )?;
    let config = Config::load(line.options, line.config.as_deref())?;
    match line.command.unwrap_or(Command::Serve) {
        Command::Serve => serve::serve(config),
        Command::Migrate => block_on(async {
            open(&config).await?;
            println!("the tables are up to date");
            Ok(())
        }),
        Command::Keys(command) => block_on(keys::run(command, &config)),
        Command::Healthcheck => healthcheck::healthcheck(config.listen),
        Command::Openapi => {
            println!("{:#}", crate::openapi::document());
            Ok(())
        }
    }
}

/// How long a draw or a comparison may go on when everything else has ended: nobody waits for it any more.
const LEFT_OVER: Duration = Duration::from_secs(1);

fn block_on<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| format!("no threads can be started: {error}"))?;
    let done = runtime.block_on(work);
    runtime.shutdown_timeout(LEFT_OVER);
    done
}

async fn open(config: &Config) -> Result<Opened, String> {
    let opened = database::open(&config.database, config.connections).await;
    opened.map_err(|error: ServiceError| error.to_string())
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;
    use tokio::task::spawn_blocking;

    use super::*;

    #[test]
    fn what_is_still_computed_does_not_keep_the_process() {
        let (finish, unfinished) = oneshot::channel::<()>();
        let done = block_on(async {
            let (begin, begun) = oneshot::channel();
            spawn_blocking(|| {
                begin.send(()).unwrap();
                let _ = unfinished.blocking_recv();
            });
            begun.await.map_err(|error| error.to_string())
        });
        assert_eq!(done, Ok(()));
        assert!(!finish.is_closed(), "it is computed no more");
    }
}
