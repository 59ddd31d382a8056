//! URLs of PostgreSQL databases, and the encryption of connections to them.

use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use tdg_definition::nearest;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, SslNegotiation, TargetSessionAttrs};

use crate::error_causes::with_causes;

/// A URL such as `postgres://user:password@host/database?option=value`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Address {
    /// The driver's configuration, with `ssl_mode` resolved: `Prefer` only for a remote server.
    pub(super) config: Config,
    pub(super) roots: Roots,
    /// Set if connections go through a pooler in transaction mode.
    pub(super) pooled: bool,
}

/// The authorities that may issue the server's certificate.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Roots {
    /// The authorities that this machine trusts.
    System,
    /// The authorities of a PEM file.
    File(PathBuf),
}

/// The options that the driver reads.
const DRIVER_OPTIONS: [&str; 18] = [
    "application_name",
    "channel_binding",
    "connect_timeout",
    "dbname",
    "host",
    "hostaddr",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
    "load_balance_hosts",
    "options",
    "password",
    "port",
    "sslnegotiation",
    "target_session_attrs",
    "tcp_user_timeout",
    "user",
];
/// The options that this module reads: the driver lacks some values of the first, and the others.
const MODE: &str = "sslmode";
const ROOTS: &str = "sslrootcert";
const POOLER: &str = "pooler";
/// With several hosts, the default is `read-write`.
const SESSION: &str = "target_session_attrs=";

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (place, query) = text.split_once('?').unwrap_or((text, ""));
        if place.matches('@').count() > 1 || query.contains('@') {
            // Otherwise, a part of a password would be parsed as a host or an option, and printed.
            return Err("the URL of PostgreSQL has too many `@` or `?`: write them as `%40` and `%3F` in the user, the \
                        password and the options".to_owned());
        }
        let (mut mode, mut roots, mut pooler) = (None, None, None);
        let mut others = Vec::new();
        for option in query.split('&') {
            match option.split_once('=') {
                Some((MODE, value)) => once(MODE, &mut mode, value)?,
                Some((ROOTS, value)) => once(ROOTS, &mut roots, value)?,
                Some((POOLER, value)) => once(POOLER, &mut pooler, value)?,
                Some((name, _)) if DRIVER_OPTIONS.contains(&name) => others.push(option),
                None if option.is_empty() => {}
                _ => return Err(unknown(option)),
            }
        }

        let config = format!("{place}?{}", others.join("&")).parse();
        let mut config: Config = config.map_err(refusal)?;
        if config.get_hosts().is_empty() {
            // A certificate can also name an address.
            for address in config.get_hostaddrs().to_vec() {
                config.host(address.to_string());
            }
        }
        let hosts = config.get_hosts().len().max(config.get_hostaddrs().len());
        if hosts > 1 && !others.iter().any(|other| other.starts_with(SESSION)) {
            // One of them may be a standby.
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        let mode = protection(mode, roots, &config)?;
        config.ssl_mode(mode);
        let roots = roots.map_or(Ok(Roots::System), Roots::from_option)?;
        let pooled = match pooler {
            None | Some("session") => false,
            Some("transaction") => true,
            Some(other) => {
                return Err(format!(
                    "unknown `{POOLER}={other}`: expected `session` or `transaction`"
                ));
            }
        };
        Ok(Address {
            config,
            roots,
            pooled,
        })
    }
}

impl Roots {
    fn from_option(value: &str) -> Result<Roots, String> {
        match percent_decode_str(value).decode_utf8() {
            Ok(value) if value == "system" => Ok(Roots::System),
            Ok(value) if !value.is_empty() => Ok(Roots::File(value.as_ref().into())),
            _ => Err(format!(
                "`{ROOTS}` takes the path of a PEM file, or `system`"
            )),
        }
    }
}

/// Resolves `sslmode` and `sslrootcert`; encrypted connections are always verified.
fn protection(mode: Option<&str>, roots: Option<&str>, config: &Config) -> Result<SslMode, String> {
    // If there are addresses, connections go to them, and hosts only name the certificate.
    let (hosts, addresses) = (config.get_hosts(), config.get_hostaddrs());
    let is_here = hosts.iter().all(is_local) && addresses.iter().all(IpAddr::is_loopback);
    let mode = match (mode, roots) {
        (Some("disable"), None) => SslMode::Disable,
        (None | Some("prefer"), None) if is_here => SslMode::Disable,
        (None | Some("prefer"), None) => SslMode::Prefer,
        (None | Some("require" | "verify-ca" | "verify-full"), _) => SslMode::Require,
        (Some(mode @ ("disable" | "prefer")), Some(_)) => {
            return Err(format!(
                "`{ROOTS}` needs an encrypted connection, but `{MODE}={mode}` doesn't require one: write \
                 `{MODE}=verify-full`, or omit `{ROOTS}`"
            ));
        }
        (Some(other), _) => {
            return Err(format!(
                "unknown `{MODE}={other}`: expected `disable`, `prefer`, `require`, `verify-ca` or \
                 `verify-full`"
            ));
        }
    };
    if mode == SslMode::Require && addresses.is_empty() && hosts.iter().any(is_socket) {
        return Err(format!(
            "PostgreSQL doesn't encrypt a socket: omit `{MODE}` and `{ROOTS}`, or name a host"
        ));
    }
    if mode != SslMode::Require && config.get_ssl_negotiation() == SslNegotiation::Direct {
        return Err(format!(
            "`sslnegotiation=direct` needs an encrypted connection: add `{MODE}=verify-full`, or omit it"
        ));
    }
    Ok(mode)
}

fn is_socket(host: &Host) -> bool {
    matches!(host, Host::Unix(_))
}

/// Returns true if connections to the host stay on this machine.
fn is_local(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
        }
    }
}

fn once<'a>(name: &str, slot: &mut Option<&'a str>, value: &'a str) -> Result<(), String> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(format!("`{name}` is given twice; keep one")),
    }
}

fn unknown(option: &str) -> String {
    let (name, value) = option.split_once('=').unzip();
    let name = name.unwrap_or(option);
    let known = || DRIVER_OPTIONS.into_iter().chain([MODE, ROOTS, POOLER]);
    if value.is_none() && known().any(|known| known == name) {
        return format!(
            "the option `{name}` of the URL of PostgreSQL has no value: write `{name}=…`"
        );
    }
    let hint = match nearest(name, known()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("the options are {}", known().collect::<Vec<_>>().join(", ")),
    };
    format!("unknown option `{name}` in the URL of PostgreSQL: {hint}")
}

/// Formats the driver's message, which never contains the password.
fn refusal(error: tokio_postgres::Error) -> String {
    format!("invalid URL of PostgreSQL: {}", with_causes(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        text.parse()
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn mode(text: &str) -> SslMode {
        address(text).config.get_ssl_mode()
    }

    fn refusal(text: &str) -> String {
        text.parse::<Address>().unwrap_err()
    }

    #[test]
    fn encrypted_connections_are_verified() {
        for mode in ["require", "verify-ca", "verify-full"] {
            let address = address(&format!("postgres://tdg@localhost/tdg?sslmode={mode}"));
            assert_eq!(address.config.get_ssl_mode(), SslMode::Require);
            assert_eq!(address.roots, Roots::System);
        }
    }

    #[test]
    fn connections_within_this_machine_are_not_encrypted_by_default() {
        for host in [
            "localhost",
            "127.0.0.1",
            "127.1.2.3",
            "[::1]",
            "%2Frun%2Fpg",
        ] {
            for option in ["", "?sslmode=prefer", "?sslmode=disable"] {
                let url = format!("postgres://tdg@{host}/tdg{option}");
                assert_eq!(mode(&url), SslMode::Disable, "{url}");
            }
        }
    }

    #[test]
    fn connections_to_other_machines_are_encrypted_if_possible() {
        for url in [
            "postgres://tdg@db/tdg",
            "postgres://tdg@db/tdg?sslmode=prefer",
            "postgres://tdg@10.0.0.7/tdg",
            "postgres://tdg@localhost,db/tdg",
            "postgres:///tdg?hostaddr=10.0.0.7",
            "postgres://tdg@localhost/tdg?hostaddr=10.0.0.7",
            // A tunnel to a server on another machine.
            "postgres://tdg@db/tdg?hostaddr=127.0.0.1",
        ] {
            assert_eq!(mode(url), SslMode::Prefer, "{url}");
        }
        assert_eq!(mode("postgres://db/tdg?sslmode=disable"), SslMode::Disable);
    }

    #[test]
    fn sslrootcert_requires_encryption() {
        let named = address("postgres://db/tdg?sslrootcert=%2Fetc%2Four%20ca.pem");
        assert_eq!(named.config.get_ssl_mode(), SslMode::Require);
        assert_eq!(named.roots, Roots::File("/etc/our ca.pem".into()));
        let system = address("postgres://localhost/tdg?sslrootcert=system");
        assert_eq!(system.config.get_ssl_mode(), SslMode::Require);
        assert_eq!(system.roots, Roots::System);
        for mode in ["disable", "prefer"] {
            let weak = refusal(&format!(
                "postgres://db/x?sslmode={mode}&sslrootcert=ca.pem"
            ));
            assert!(weak.ends_with("write `sslmode=verify-full`, or omit `sslrootcert`"));
        }
    }

    #[test]
    fn the_driver_reads_the_other_options() {
        let address = address(
            "postgres://tdg:p%40%3Fss@db:5433/tdg?connect_timeout=3&sslmode=require&options=-csearch_path%3Dx",
        );
        assert_eq!(address.config.get_password(), Some(&b"p@?ss"[..]));
        assert_eq!(address.config.get_ports(), [5433]);
        assert_eq!(address.config.get_options(), Some("-csearch_path=x"));
        assert_eq!(address.config.get_connect_timeout().unwrap().as_secs(), 3);
    }

    #[test]
    fn the_one_of_several_hosts_that_takes_writes_is_used() {
        for (url, expected) in [
            ("postgres://a/tdg", TargetSessionAttrs::Any),
            ("postgres://a,b/tdg", TargetSessionAttrs::ReadWrite),
            (
                "postgres://a,b/tdg?target_session_attrs=any",
                TargetSessionAttrs::Any,
            ),
        ] {
            let found = address(url).config.get_target_session_attrs();
            assert_eq!(found, expected, "{url}");
        }
    }

    #[test]
    fn an_invalid_option_is_refused_with_the_fix() {
        for (options, expected) in [
            (
                "sslmode=allow",
                "unknown `sslmode=allow`: expected `disable`, `prefer`, `require`, `verify-ca` or `verify-full`",
            ),
            (
                "sslmode=require&sslmode=disable",
                "`sslmode` is given twice; keep one",
            ),
            (
                "sslnegotiation=direct",
                "`sslnegotiation=direct` needs an encrypted connection: add `sslmode=verify-full`, or omit it",
            ),
            (
                "sslrootcert=",
                "`sslrootcert` takes the path of a PEM file, or `system`",
            ),
            (
                "sslmod=require",
                "unknown option `sslmod` in the URL of PostgreSQL: did you mean `sslmode`?",
            ),
            (
                "sslmode",
                "the option `sslmode` of the URL of PostgreSQL has no value: write `sslmode=…`",
            ),
            (
                "pooler=statement",
                "unknown `pooler=statement`: expected `session` or `transaction`",
            ),
            (
                "port=many",
                "invalid URL of PostgreSQL: invalid connection string: invalid value for option `port`",
            ),
        ] {
            assert_eq!(
                refusal(&format!("postgres://tdg:secret@db/tdg?{options}")),
                expected
            );
        }
        let unknown = refusal("postgres://tdg:secret@db/tdg?colour=red");
        assert!(unknown.contains("`colour`") && unknown.contains("target_session_attrs, "));
        let socket = refusal("postgres://tdg@%2Frun%2Fpg/tdg?sslmode=require");
        assert!(socket.starts_with("PostgreSQL doesn't encrypt a socket"));
    }

    #[test]
    fn no_part_of_a_password_is_printed() {
        for url in [
            "postgres://tdg:se?cret@db/tdg",
            "postgres://tdg:x@se?cret=1@db/tdg",
            "postgres://tdg:x@secret@db/tdg?sslmode=require",
            "postgres://tdg:secret@db/tdg?sslmode=all",
            "postgres://tdg:secret@db/tdg?password=secret&port=x",
        ] {
            let message = refusal(url);
            assert!(!message.contains("cret"), "{message}");
        }
        let shown = format!("{:?}", address("postgres://tdg:secret@db/tdg"));
        assert!(!shown.contains("secret"), "{shown}");
    }
}
