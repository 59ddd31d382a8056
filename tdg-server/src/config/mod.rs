//! Settings from the command line, the environment, or a file. The first of these that sets a value
//! wins.

mod environment;
mod options;

use std::net::SocketAddr;
use std::num::NonZero;
use std::path::Path;
use std::time::Duration;

pub(crate) use self::environment::check as check_environment;
pub(crate) use self::options::{LogFormat, Options};
use crate::database::DatabaseUrl;
use crate::http::{BodyLimits, Limits, Rate};

/// All settings.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) database: DatabaseUrl,
    /// The maximum number of connections to the database.
    pub(crate) connections: usize,
    pub(crate) listen: SocketAddr,
    pub(crate) metrics: Option<SocketAddr>,
    pub(crate) log: String,
    pub(crate) log_format: LogFormat,
    pub(crate) bodies: BodyLimits,
    /// The maximum bytes of the canonical text of a definition that is created.
    pub(crate) max_definition: usize,
    pub(crate) limits: Limits,
    /// The timeout for running requests when the server shuts down.
    pub(crate) ending: Duration,
    pub(crate) rate: Option<Rate>,
    /// How many assertions of a benchmark are kept, if not all.
    pub(crate) max_history: Option<u32>,
    /// The number of threads that draw and compare.
    pub(crate) workers: usize,
}

impl Config {
    /// The settings of the command line and environment, then of the file, then the defaults.
    ///
    /// # Errors
    ///
    /// The setting that is invalid, and its place.
    pub(crate) fn load(given: Options, file: Option<&Path>) -> Result<Config, String> {
        let from_file = file.map_or_else(|| Ok(Options::default()), Options::read)?;
        let options = given.or(from_file);
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Ok(Config {
            database: options
                .database
                .as_deref()
                .unwrap_or("sqlite:tdg.db")
                .parse()?,
            connections: number(options.connections, 2 * cores.clamp(2, 16)),
            listen: options
                .listen
                .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080))),
            metrics: options.metrics,
            log: options.log.unwrap_or_else(|| "info".to_owned()),
            log_format: options.log_format.unwrap_or_default(),
            bodies: BodyLimits {
                bytes: options.max_body.map_or(BODY, |bytes| bytes.get() as usize),
                time: seconds(options.body_timeout, 30),
                large: 4,
            },
            max_definition: options
                .max_definition
                .map_or(DEFINITION, |bytes| bytes.get() as usize),
            limits: Limits {
                connections: number(options.max_connections, 16_384),
                head: seconds(options.head_timeout, 30),
                stalled: seconds(options.write_timeout, 30),
            },
            ending: seconds(options.shutdown_timeout, 30),
            rate: options.rate_limit,
            max_history: options.max_history.map(NonZero::get),
            workers: cores,
        })
    }
}

fn number(given: Option<NonZero<u16>>, default: usize) -> usize {
    given.map_or(default, |number| usize::from(number.get()))
}

fn seconds(given: Option<NonZero<u16>>, default: u64) -> Duration {
    Duration::from_secs(given.map_or(default, |seconds| u64::from(seconds.get())))
}

/// 16 MiB of outputs, and the members around them.
const BODY: usize = (16 << 20) + 4096;

/// 1 MB.
const DEFINITION: usize = 1_000_000;

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn options(arguments: &[&str]) -> Options {
        use clap::Parser;

        #[derive(Parser)]
        struct Line {
            #[command(flatten)]
            options: Options,
        }
        Line::parse_from([&["tdg-server"], arguments].concat()).options
    }

    fn load(arguments: &[&str], file: &str) -> Result<Config, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("server.toml");
        fs::write(&path, file).unwrap();
        Config::load(options(arguments), Some(&path))
            .map_err(|error| error.replace(&path.display().to_string(), "server.toml"))
    }

    #[test]
    fn no_setting_is_required() {
        let config = Config::load(Options::default(), None).unwrap();
        assert_eq!(config.database, "sqlite:tdg.db".parse().unwrap());
        assert!(config.listen.ip().is_loopback());
        assert_eq!(config.metrics, None);
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
    fn every_limit_has_a_setting() {
        let file = "connections = 1\nmax_body = 2\nbody_timeout = 3\nhead_timeout = 4\nwrite_timeout = 5\n\
                    shutdown_timeout = 6\nmax_connections = 7\nmax_definition = 8";
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
        assert_eq!(config.max_definition, 8);
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
