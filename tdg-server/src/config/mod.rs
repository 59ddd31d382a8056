//! Settings from the command line, the environment, or a file. The first of these that sets a value
//! wins.

mod environment;
mod options;

use std::net::SocketAddr;
use std::num::NonZero;
use std::path::Path;
use std::time::Duration;

pub(crate) use self::environment::check as check_environment;
pub(crate) use self::options::{LogFormat, ServerOptions};
use anyhow::{Context, Error, Result, anyhow, bail};
use axum::http::HeaderName;

use crate::accounts::{self, Quota};
use crate::database::DatabaseUrl;
use crate::http::{BodyLimits, ConnectionLimits, TrustedProxies};
use crate::keys::Lifetime;
use crate::webhook_delivery::WebhookNetworks;

/// All settings.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) database: DatabaseUrl,
    /// A replica of the database, for bytes that never change.
    pub(crate) replica: Option<DatabaseUrl>,
    /// The maximum number of connections to the database.
    pub(crate) connections: usize,
    pub(crate) listen: SocketAddr,
    /// Set if the server has pages for people.
    pub(crate) has_pages: bool,
    pub(crate) metrics: Option<SocketAddr>,
    /// The URL of an OpenTelemetry collector.
    pub(crate) otlp: Option<String>,
    pub(crate) log: String,
    pub(crate) log_format: LogFormat,
    pub(crate) bodies: BodyLimits,
    /// The maximum length of the canonical text of a new definition, in bytes.
    pub(crate) max_definition: usize,
    pub(crate) limits: ConnectionLimits,
    /// The timeout for running requests when the server shuts down.
    pub(crate) ending: Duration,
    /// The limits of accounts without their own.
    pub(crate) accounts: accounts::Limits,
    pub(crate) proxies: TrustedProxies,
    /// Non-public networks that webhooks may reach.
    pub(crate) webhooks: WebhookNetworks,
    /// The retention of the audit log.
    pub(crate) keep_audit: Duration,
    /// The time for which deleted objects can be restored.
    pub(crate) keep_deleted: Lifetime,
    /// The number of threads that draw and compare.
    pub(crate) workers: usize,
}

impl Config {
    /// Loads the settings of the command line and environment, then of the file, then the defaults.
    ///
    /// # Errors
    ///
    /// The invalid setting and its place.
    pub(crate) fn load(given: ServerOptions, file: Option<&Path>) -> Result<Config> {
        let from_file = file.map_or_else(|| Ok(ServerOptions::default()), ServerOptions::read)?;
        let options = given.or(from_file);
        let accounts = account_limits(&options);
        let proxies = proxies(&options)?;
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let bodies = BodyLimits {
            bytes: options.max_body.map_or(BODY, |bytes| bytes.get() as usize),
            time: seconds(options.body_timeout, 30),
            memory: 0,
        };
        let bodies = BodyLimits {
            memory: memory(options.memory, bodies.bytes)?,
            ..bodies
        };
        let listen = options
            .listen
            .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080)));
        Ok(Config {
            database: options
                .database
                .as_deref()
                .unwrap_or("sqlite:tdg.db")
                .parse()
                .map_err(Error::msg)?,
            replica: options
                .replica
                .as_deref()
                .map(str::parse)
                .transpose()
                .map_err(Error::msg)?,
            connections: number(options.connections, 2 * cores.clamp(2, 16)),
            listen,
            has_pages: options.pages.unwrap_or(listen.ip().is_loopback()),
            metrics: options.metrics,
            otlp: options.otlp,
            log: options.log.unwrap_or_else(|| "info".to_owned()),
            log_format: options.log_format.unwrap_or_default(),
            bodies,
            max_definition: options
                .max_definition
                .map_or(DEFINITION, |bytes| bytes.get() as usize),
            limits: ConnectionLimits {
                connections: number(options.max_connections, 16_384),
                head: seconds(options.head_timeout, 30),
                stalled: seconds(options.write_timeout, 30),
            },
            ending: seconds(options.shutdown_timeout, 30),
            accounts,
            keep_audit: DAY * options.keep_audit.map_or(365, |days| u32::from(days.get())),
            keep_deleted: Lifetime::of_days(options.keep_deleted.unwrap_or(30)),
            proxies,
            webhooks: WebhookNetworks::new(options.webhook_network.unwrap_or_default()),
            // One core is left for answering requests, and for a database on the same machine.
            workers: (cores - 1).max(1),
        })
    }
}

fn account_limits(options: &ServerOptions) -> accounts::Limits {
    let history = options.max_history.map(|most| u64::from(most.get()));
    let requests = options.rate_limit.map(|rate| u64::from(rate.get()));
    let mut limits = accounts::Limits::default();
    limits.set(Quota::Objects, options.quota_objects);
    limits.set(Quota::Bytes, options.quota_bytes);
    limits.set(Quota::History, history);
    limits.set(Quota::Requests, requests);
    limits
}

fn proxies(options: &ServerOptions) -> Result<TrustedProxies> {
    let networks = options.trusted_proxy.clone().unwrap_or_default();
    let Some(name) = &options.person_header else {
        return Ok(TrustedProxies::new(networks, None));
    };
    if networks.is_empty() {
        bail!("`person_header` needs `trusted_proxy`: only trusted proxies may name a person");
    }
    let header = name.parse::<HeaderName>();
    let header = header.with_context(|| format!("`person_header`: `{name}`"))?;
    Ok(TrustedProxies::new(networks, Some(header)))
}

/// The memory for requests and answers. An account may use half of it, and a body is in memory
/// twice while it is read.
fn memory(given: Option<NonZero<u32>>, body: usize) -> Result<usize> {
    let least = body.saturating_mul(4);
    match given.map(|bytes| bytes.get() as usize) {
        None => Ok(MEMORY.max(least)),
        Some(bytes) if bytes >= least => Ok(bytes),
        Some(bytes) => Err(anyhow!(
            "`memory` must be at least four times `max_body`, {least} bytes, but is {bytes}"
        )),
    }
}

fn number(given: Option<NonZero<u16>>, default: usize) -> usize {
    given.map_or(default, |number| usize::from(number.get()))
}

fn seconds(given: Option<NonZero<u16>>, default: u64) -> Duration {
    Duration::from_secs(given.map_or(default, |seconds| u64::from(seconds.get())))
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const MEMORY: usize = 256 << 20;

/// 16 MiB of outputs, plus the surrounding JSON members.
const BODY: usize = (16 << 20) + 4096;

/// 1 MB.
const DEFINITION: usize = 1_000_000;

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn options(arguments: &[&str]) -> ServerOptions {
        use clap::Parser;

        #[derive(Parser)]
        struct Line {
            #[command(flatten)]
            options: ServerOptions,
        }
        Line::parse_from([&["tdg-server"], arguments].concat()).options
    }

    fn load(arguments: &[&str], file: &str) -> Result<Config, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("server.toml");
        fs::write(&path, file).unwrap();
        Config::load(options(arguments), Some(&path)).map_err(|error| {
            format!("{error:#}").replace(&path.display().to_string(), "server.toml")
        })
    }

    #[test]
    fn no_setting_is_required() {
        let config = Config::load(ServerOptions::default(), None).unwrap();
        assert_eq!(config.database, "sqlite:tdg.db".parse().unwrap());
        assert!(config.listen.ip().is_loopback());
        assert_eq!(config.metrics, None);
        assert!(config.has_pages);
    }

    #[test]
    fn the_command_line_overrides_the_file_and_the_file_the_default() {
        let file = "listen = \"127.0.0.1:1\"\nlog = \"debug\"\nbody_timeout = 5\nmax_body = 1000";
        let config = load(&["--listen", "127.0.0.1:2"], file).unwrap();
        assert_eq!(config.listen.port(), 2);
        assert_eq!(config.log, "debug");
        assert_eq!(config.bodies.time, Duration::from_secs(5));
        assert_eq!(config.bodies.bytes, 1000);
        assert_eq!(config.limits.head, Duration::from_secs(30));
    }

    #[test]
    fn pages_are_served_to_other_machines_only_if_that_is_asked_for() {
        let has_pages = |arguments: &[&str], file: &str| load(arguments, file).unwrap().has_pages;
        let all = ["--listen", "0.0.0.0:80"];
        assert!(!has_pages(&all, ""));
        assert!(has_pages(&[&all[..], &["--pages"]].concat(), ""));
        assert!(has_pages(&all, "pages = true"));
        assert!(!has_pages(&["--pages", "false"], "pages = true"));
    }

    #[test]
    fn every_limit_has_a_setting() {
        let file = "connections = 1\nmax_body = 2\nbody_timeout = 3\nhead_timeout = 4\nwrite_timeout = 5\n\
                    shutdown_timeout = 6\nmax_connections = 7\nmemory = 8\nmax_definition = 9";
        let config = load(&[], file).unwrap();
        assert_eq!((config.connections, config.bodies.bytes), (1, 2));
        let times = [
            config.bodies.time,
            config.limits.head,
            config.limits.stalled,
            config.ending,
        ];
        assert_eq!(times.map(|time| time.as_secs()), [3, 4, 5, 6]);
        assert_eq!(config.limits.connections, 7);
        assert_eq!(config.bodies.memory, 8);
        assert_eq!(config.max_definition, 9);
    }

    #[test]
    fn the_largest_body_fits_into_the_memory() {
        let file = "max_body = 1000\nmemory = 3999";
        insta::assert_snapshot!(load(&[], file).unwrap_err(), @"`memory` must be at least four times `max_body`, 4000 bytes, but is 3999");
        let config = load(&["--max-body", "1000000000"], "").unwrap();
        assert_eq!(config.bodies.memory, 4_000_000_000);
    }

    #[test]
    fn only_trusted_proxies_name_a_person() {
        let alone = load(&["--person-header", "x-user"], "").unwrap_err();
        insta::assert_snapshot!(alone, @"`person_header` needs `trusted_proxy`: only trusted proxies may name a person");
        let file = "trusted_proxy = [\"::1\"]\nperson_header = \"x user\"";
        insta::assert_snapshot!(load(&[], file).unwrap_err(), @"`person_header`: `x user`: invalid HTTP header name");
    }

    #[test]
    fn an_invalid_setting_is_refused_with_its_place() {
        insta::assert_snapshot!(load(&[], "lisen = \"127.0.0.1:1\"").unwrap_err());
        insta::assert_snapshot!(load(&[], "database = \"mysql://db\"").unwrap_err());
        insta::assert_snapshot!(load(&[], "\nmax_body = \"much\"").unwrap_err());
    }

    #[test]
    fn no_part_of_a_password_is_printed() {
        for file in [
            "database = \"postgres://tdg:secret@db/tdg",
            "database = \"postgres://tdg:secret@db/tdg\" # \"\nmax_body = no",
            "database = [\"postgres://tdg:secret@db/tdg\"]",
            "databse = \"postgres://tdg:secret@db/tdg\"",
            "database = 'postgres://tdg:secret@db/tdg'\ndatabase = 'postgres://tdg:secret@db/tdg'",
        ] {
            let message = load(&[], file).unwrap_err();
            assert!(!message.contains("secret"), "{message}");
        }
    }
}
