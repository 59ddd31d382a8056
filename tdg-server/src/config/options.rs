//! One setting each, as the command line, the environment and the file have it.

use std::fs;
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::Path;

use clap::ValueEnum;

use crate::http::Rate;

/// What is said about the settings, in one place or another.
#[derive(Clone, Debug, Default, clap::Args, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Options {
    /// The database: `sqlite:FILE` or `postgres://USER@HOST/NAME` [default: sqlite:tdg.db]
    #[arg(
        long,
        env = "TDG_SERVER_DATABASE",
        hide_env_values = true,
        value_name = "URL",
        global = true
    )]
    pub(super) database: Option<String>,

    /// Connections to the database at most [default: two for each core, 4 to 32]
    #[arg(
        long,
        env = "TDG_SERVER_CONNECTIONS",
        value_name = "NUMBER",
        global = true
    )]
    pub(super) connections: Option<NonZero<u16>>,

    /// Where to listen [default: 127.0.0.1:8080]
    #[arg(long, env = "TDG_SERVER_LISTEN", value_name = "ADDRESS", global = true)]
    pub(super) listen: Option<SocketAddr>,

    /// Where to answer /metrics, /livez and /readyz alone [default: nowhere]
    #[arg(
        long,
        env = "TDG_SERVER_METRICS",
        value_name = "ADDRESS",
        global = true
    )]
    pub(super) metrics: Option<SocketAddr>,

    /// What to log: error, warn, info, debug, trace, or one of them for each part [default: info]
    #[arg(long, env = "TDG_SERVER_LOG", value_name = "LEVEL", global = true)]
    pub(super) log: Option<String>,

    /// How to log [default: text]
    #[arg(
        long,
        env = "TDG_SERVER_LOG_FORMAT",
        value_name = "FORMAT",
        global = true
    )]
    pub(super) log_format: Option<LogFormat>,

    /// The longest body of a request, in bytes after decompression [default: 16 MiB and 4 KiB]
    #[arg(long, env = "TDG_SERVER_MAX_BODY", value_name = "BYTES", global = true)]
    pub(super) max_body: Option<NonZero<u32>>,

    /// Seconds that a body may take to arrive [default: 30]
    #[arg(
        long,
        env = "TDG_SERVER_BODY_TIMEOUT",
        value_name = "SECONDS",
        global = true
    )]
    pub(super) body_timeout: Option<NonZero<u16>>,

    /// Seconds that the head of a request may take, and that a connection may be idle [default: 30]
    #[arg(
        long,
        env = "TDG_SERVER_HEAD_TIMEOUT",
        value_name = "SECONDS",
        global = true
    )]
    pub(super) head_timeout: Option<NonZero<u16>>,

    /// Seconds that a client may take nothing of an answer [default: 30]
    #[arg(
        long,
        env = "TDG_SERVER_WRITE_TIMEOUT",
        value_name = "SECONDS",
        global = true
    )]
    pub(super) write_timeout: Option<NonZero<u16>>,

    /// Seconds that running requests have when the server ends [default: 30]
    #[arg(
        long,
        env = "TDG_SERVER_SHUTDOWN_TIMEOUT",
        value_name = "SECONDS",
        global = true
    )]
    pub(super) shutdown_timeout: Option<NonZero<u16>>,

    /// Connections of clients at most [default: 16384]
    #[arg(
        long,
        env = "TDG_SERVER_MAX_CONNECTIONS",
        value_name = "NUMBER",
        global = true
    )]
    pub(super) max_connections: Option<NonZero<u16>>,

    /// Requests a second that one key may make of this server [default: as many as it likes]
    #[arg(
        long,
        env = "TDG_SERVER_RATE_LIMIT",
        value_name = "NUMBER",
        global = true
    )]
    pub(super) rate_limit: Option<Rate>,
}

/// How lines of the log look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    /// For people
    #[default]
    Text,
    /// An object a line
    Json,
}

impl Options {
    /// Those of a file.
    ///
    /// # Errors
    ///
    /// What can't be read, and where.
    pub(super) fn read(file: &Path) -> Result<Options, String> {
        let text = fs::read_to_string(file);
        let text = text.map_err(|error| format!("{} can't be read: {error}", file.display()))?;
        toml::from_str(&text).map_err(|error: toml::de::Error| {
            // Not the line itself: it may have the password of the database.
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = |before: &str| format!(", line {}", before.matches('\n').count() + 1);
            let line = before.map(line).unwrap_or_default();
            format!("{}{line}: {}", file.display(), error.message())
        })
    }

    /// These, and where they say nothing, the others.
    pub(super) fn or(self, other: Options) -> Options {
        Options {
            database: self.database.or(other.database),
            connections: self.connections.or(other.connections),
            listen: self.listen.or(other.listen),
            metrics: self.metrics.or(other.metrics),
            log: self.log.or(other.log),
            log_format: self.log_format.or(other.log_format),
            max_body: self.max_body.or(other.max_body),
            body_timeout: self.body_timeout.or(other.body_timeout),
            head_timeout: self.head_timeout.or(other.head_timeout),
            write_timeout: self.write_timeout.or(other.write_timeout),
            shutdown_timeout: self.shutdown_timeout.or(other.shutdown_timeout),
            max_connections: self.max_connections.or(other.max_connections),
            rate_limit: self.rate_limit.or(other.rate_limit),
        }
    }
}
