//! The settings of a single source: the command line, the environment, or the file.

use std::fs;
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;

use crate::http::Network;

/// The settings of one source; each may be missing.
#[derive(Clone, Debug, Default, clap::Args, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ServerOptions {
    /// Database: `sqlite:FILE` or `postgres://USER@HOST/NAME` [default: sqlite:tdg.db]
    #[arg(
        long,
        env = "TDG_SERVER_DATABASE",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub(super) database: Option<String>,

    /// Read replica of the database, for rows, outputs and definitions: `postgres://USER@HOST/NAME`
    /// [default: none]
    #[arg(
        long,
        env = "TDG_SERVER_REPLICA",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub(super) replica: Option<String>,

    /// Maximum number of connections to the database [default: two per core, 4 to 32]
    #[arg(long, env = "TDG_SERVER_CONNECTIONS", value_name = "NUMBER")]
    pub(super) connections: Option<NonZero<u16>>,

    /// Address to listen on [default: 127.0.0.1:8080]
    #[arg(long, env = "TDG_SERVER_LISTEN", value_name = "ADDRESS")]
    pub(super) listen: Option<SocketAddr>,

    /// Serve pages for people at the address of `--listen` [default: only if it is a loopback
    /// address]
    #[arg(
        long,
        env = "TDG_SERVER_PAGES",
        value_name = "BOOLEAN",
        num_args = 0..=1,
        default_missing_value = "true"
    )]
    pub(super) pages: Option<bool>,

    /// Another address that serves only /metrics, /livez and /readyz [default: none]
    #[arg(long, env = "TDG_SERVER_METRICS", value_name = "ADDRESS")]
    pub(super) metrics: Option<SocketAddr>,

    /// OpenTelemetry collector that gets traces, such as `http://localhost:4318` [default: none]
    #[arg(long, env = "TDG_SERVER_OTLP", value_name = "URL")]
    pub(super) otlp: Option<String>,

    /// Log level: error, warn, info, debug or trace, or one for each module [default: info]
    #[arg(long, env = "TDG_SERVER_LOG", value_name = "LEVEL")]
    pub(super) log: Option<String>,

    /// Log format [default: text]
    #[arg(long, env = "TDG_SERVER_LOG_FORMAT", value_name = "FORMAT")]
    pub(super) log_format: Option<LogFormat>,

    /// Maximum size of a request body in bytes, after decompression [default: 16 MiB and 4 KiB]
    #[arg(long, env = "TDG_SERVER_MAX_BODY", value_name = "BYTES")]
    pub(super) max_body: Option<NonZero<u32>>,

    /// Memory for request bodies and responses in bytes; one account may hold half of it
    /// [default: 256 MiB]
    #[arg(long, env = "TDG_SERVER_MEMORY", value_name = "BYTES")]
    pub(super) memory: Option<NonZero<u32>>,

    /// Maximum size of a new definition in bytes, in canonical form [default: 1000000]
    #[arg(long, env = "TDG_SERVER_MAX_DEFINITION", value_name = "BYTES")]
    pub(super) max_definition: Option<NonZero<u32>>,

    /// Timeout for a request body, in seconds [default: 30]
    #[arg(long, env = "TDG_SERVER_BODY_TIMEOUT", value_name = "SECONDS")]
    pub(super) body_timeout: Option<NonZero<u16>>,

    /// Timeout for the head of a request and for idle connections, in seconds [default: 30]
    #[arg(long, env = "TDG_SERVER_HEAD_TIMEOUT", value_name = "SECONDS")]
    pub(super) head_timeout: Option<NonZero<u16>>,

    /// Timeout for a client that stops reading a response, in seconds [default: 30]
    #[arg(long, env = "TDG_SERVER_WRITE_TIMEOUT", value_name = "SECONDS")]
    pub(super) write_timeout: Option<NonZero<u16>>,

    /// Timeout for running requests when the server shuts down, in seconds [default: 30]
    #[arg(long, env = "TDG_SERVER_SHUTDOWN_TIMEOUT", value_name = "SECONDS")]
    pub(super) shutdown_timeout: Option<NonZero<u16>>,

    /// Maximum number of client connections [default: 16384]
    #[arg(long, env = "TDG_SERVER_MAX_CONNECTIONS", value_name = "NUMBER")]
    pub(super) max_connections: Option<NonZero<u16>>,

    /// Maximum number of requests per second of one account to this server [default: unlimited]
    #[arg(long, env = "TDG_SERVER_RATE_LIMIT", value_name = "NUMBER")]
    pub(super) rate_limit: Option<NonZero<u32>>,

    /// Maximum number of projects, definitions, ensembles and benchmarks of one account
    /// [default: unlimited]
    #[arg(long, env = "TDG_SERVER_QUOTA_OBJECTS", value_name = "NUMBER")]
    pub(super) quota_objects: Option<u64>,

    /// Maximum number of bytes that one account stores in definitions, rows and expected outputs
    /// [default: unlimited]
    #[arg(long, env = "TDG_SERVER_QUOTA_BYTES", value_name = "BYTES")]
    pub(super) quota_bytes: Option<u64>,

    /// Number of newest assertions that a benchmark keeps; older ones are removed once they are a
    /// week old [default: all]
    #[arg(long, env = "TDG_SERVER_MAX_HISTORY", value_name = "NUMBER")]
    pub(super) max_history: Option<NonZero<u32>>,

    /// Days that the audit log is kept [default: 365]
    #[arg(long, env = "TDG_SERVER_KEEP_AUDIT", value_name = "DAYS")]
    pub(super) keep_audit: Option<NonZero<u16>>,

    /// Days for which deleted objects can be restored with `undelete`; 0 for none
    /// [default: 30]
    #[arg(long, env = "TDG_SERVER_KEEP_DELETED", value_name = "DAYS")]
    pub(super) keep_deleted: Option<u16>,

    /// Proxies that are trusted to name their clients: addresses or networks, as in
    /// `10.0.0.0/8,::1` [default: none]
    #[arg(
        long,
        env = "TDG_SERVER_TRUSTED_PROXY",
        value_name = "NETWORKS",
        value_delimiter = ','
    )]
    pub(super) trusted_proxy: Option<Vec<Network>>,

    /// Header in which these proxies name the user, such as `X-Forwarded-User`: the
    /// author of decisions on pages [default: none; decisions have the name of the key]
    #[arg(long, env = "TDG_SERVER_PERSON_HEADER", value_name = "NAME")]
    pub(super) person_header: Option<String>,

    /// Private networks that webhooks may connect to: addresses or networks, as in
    /// `10.0.0.0/8,::1` [default: none]
    #[arg(
        long,
        env = "TDG_SERVER_WEBHOOK_NETWORK",
        value_name = "NETWORKS",
        value_delimiter = ','
    )]
    pub(super) webhook_network: Option<Vec<Network>>,
}

/// The format of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    /// Lines for people
    #[default]
    Text,
    /// A JSON object per line
    Json,
}

impl ServerOptions {
    /// Reads the settings of a file.
    ///
    /// # Errors
    ///
    /// The invalid setting and its line.
    pub(super) fn read(file: &Path) -> Result<ServerOptions> {
        let text = fs::read_to_string(file);
        let text = text.with_context(|| format!("{} can't be read", file.display()))?;
        toml::from_str(&text).map_err(|error: toml::de::Error| {
            // The line isn't shown: it may contain the password of the database.
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = |before: &str| format!(", line {}", before.matches('\n').count() + 1);
            let line = before.map(line).unwrap_or_default();
            anyhow!("{}{line}: {}", file.display(), error.message())
        })
    }

    /// Returns these settings, with values from `other` for missing ones.
    pub(super) fn or(self, other: ServerOptions) -> ServerOptions {
        ServerOptions {
            database: self.database.or(other.database),
            replica: self.replica.or(other.replica),
            connections: self.connections.or(other.connections),
            listen: self.listen.or(other.listen),
            pages: self.pages.or(other.pages),
            metrics: self.metrics.or(other.metrics),
            otlp: self.otlp.or(other.otlp),
            log: self.log.or(other.log),
            log_format: self.log_format.or(other.log_format),
            max_body: self.max_body.or(other.max_body),
            memory: self.memory.or(other.memory),
            max_definition: self.max_definition.or(other.max_definition),
            body_timeout: self.body_timeout.or(other.body_timeout),
            head_timeout: self.head_timeout.or(other.head_timeout),
            write_timeout: self.write_timeout.or(other.write_timeout),
            shutdown_timeout: self.shutdown_timeout.or(other.shutdown_timeout),
            max_connections: self.max_connections.or(other.max_connections),
            rate_limit: self.rate_limit.or(other.rate_limit),
            quota_objects: self.quota_objects.or(other.quota_objects),
            quota_bytes: self.quota_bytes.or(other.quota_bytes),
            keep_audit: self.keep_audit.or(other.keep_audit),
            keep_deleted: self.keep_deleted.or(other.keep_deleted),
            trusted_proxy: self.trusted_proxy.or(other.trusted_proxy),
            person_header: self.person_header.or(other.person_header),
            webhook_network: self.webhook_network.or(other.webhook_network),
            max_history: self.max_history.or(other.max_history),
        }
    }
}
