//! Where a PostgreSQL is, and how connections to it are protected, as one writes it.

use std::error::Error;
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use tdg_definition::nearest;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, SslNegotiation};

/// `postgres://user:password@host/database?option=value`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Address {
    /// With the `ssl_mode` that is meant: `Prefer` only for a server on another machine.
    pub(super) config: Config,
    pub(super) roots: Roots,
}

/// Who may have issued the certificate of the server.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Roots {
    /// Whom this machine trusts.
    System,
    /// The authorities of a PEM file.
    File(PathBuf),
}

/// The options that the driver reads.
const DRIVERS: [&str; 18] = [
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
/// The options that are read here: the driver knows fewer values of the one, and not the other.
const MODE: &str = "sslmode";
const ROOTS: &str = "sslrootcert";

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (place, query) = text.split_once('?').unwrap_or((text, ""));
        if place.matches('@').count() > 1 || query.contains('@') {
            // Else a part of a password would be taken for a host or an option, and shown.
            return Err("the address of PostgreSQL has an `@` or a `?` too many: write them as `%40` and `%3F` in the user, the password and the options".to_owned());
        }
        let (mut mode, mut roots) = (None, None);
        let mut others = Vec::new();
        for option in query.split('&') {
            match option.split_once('=') {
                Some((MODE, value)) => once(MODE, &mut mode, value)?,
                Some((ROOTS, value)) => once(ROOTS, &mut roots, value)?,
                Some((name, _)) if DRIVERS.contains(&name) => others.push(option),
                None if option.is_empty() => {}
                _ => return Err(unknown(option)),
            }
        }

        let config = format!("{place}?{}", others.join("&")).parse();
        let mut config: Config = config.map_err(refusal)?;
        if config.get_hosts().is_empty() {
            // A certificate can name an address too.
            for address in config.get_hostaddrs().to_vec() {
                config.host(address.to_string());
            }
        }
        let mode = protection(mode, roots, &config)?;
        config.ssl_mode(mode);
        let roots = roots.map_or(Ok(Roots::System), Roots::from_option)?;
        Ok(Address { config, roots })
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

/// What is meant by a mode, if one is said, and roots, if some are: encrypted is always checked as well.
fn protection(mode: Option<&str>, roots: Option<&str>, config: &Config) -> Result<SslMode, String> {
    // Where there are addresses, they are what is connected to, and hosts only name the certificate.
    let (hosts, addresses) = (config.get_hosts(), config.get_hostaddrs());
    let is_here = hosts.iter().all(is_local) && addresses.iter().all(IpAddr::is_loopback);
    let mode = match (mode, roots) {
        (Some("disable"), None) => SslMode::Disable,
        (None | Some("prefer"), None) if is_here => SslMode::Disable,
        (None | Some("prefer"), None) => SslMode::Prefer,
        (None | Some("require" | "verify-ca" | "verify-full"), _) => SslMode::Require,
        (Some(mode @ ("disable" | "prefer")), Some(_)) => {
            return Err(format!(
                "`{ROOTS}` is for connections that are encrypted, which `{MODE}={mode}` doesn't ask for: write `{MODE}=verify-full`, or leave `{ROOTS}` out"
            ));
        }
        (Some(other), _) => {
            return Err(format!(
                "there is no `{MODE}={other}`: write `disable`, `prefer`, `require`, `verify-ca` or `verify-full`"
            ));
        }
    };
    if mode == SslMode::Require && addresses.is_empty() && hosts.iter().any(is_socket) {
        return Err(format!(
            "PostgreSQL doesn't encrypt a socket: leave `{MODE}` and `{ROOTS}` out, or name a host"
        ));
    }
    if mode != SslMode::Require && config.get_ssl_negotiation() == SslNegotiation::Direct {
        return Err(format!(
            "`sslnegotiation=direct` is for connections that are encrypted: write `{MODE}=verify-full` as well, or leave it out"
        ));
    }
    Ok(mode)
}

fn is_socket(host: &Host) -> bool {
    matches!(host, Host::Unix(_))
}

/// Whether nothing that is said to it leaves this machine.
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
        Some(_) => Err(format!("`{name}` is said twice: leave one out")),
    }
}

fn unknown(option: &str) -> String {
    let (name, value) = option.split_once('=').unzip();
    let name = name.unwrap_or(option);
    let known = || DRIVERS.into_iter().chain([MODE, ROOTS]);
    if value.is_none() && known().any(|known| known == name) {
        return format!(
            "the option `{name}` of PostgreSQL's address has no value: write `{name}=…`"
        );
    }
    let hint = match nearest(name, known()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!(
            "leave it out; there are {}",
            known().collect::<Vec<_>>().join(", ")
        ),
    };
    format!("there is no option `{name}` for PostgreSQL's address: {hint}")
}

/// The driver names what it doesn't take, and never the password.
fn refusal(error: tokio_postgres::Error) -> String {
    let mut message = "the address of PostgreSQL can't be used".to_owned();
    let mut source: Option<&dyn Error> = Some(&error);
    while let Some(error) = source {
        message.push_str(&format!(": {error}"));
        source = error.source();
    }
    message
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
    fn whatever_encrypts_checks_as_well() {
        for mode in ["require", "verify-ca", "verify-full"] {
            let address = address(&format!("postgres://tdg@localhost/tdg?sslmode={mode}"));
            assert_eq!(address.config.get_ssl_mode(), SslMode::Require);
            assert_eq!(address.roots, Roots::System);
        }
    }

    #[test]
    fn nothing_is_encrypted_within_a_machine_unless_one_asks() {
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
    fn a_server_elsewhere_is_asked_whether_it_encrypts() {
        for url in [
            "postgres://tdg@db/tdg",
            "postgres://tdg@db/tdg?sslmode=prefer",
            "postgres://tdg@10.0.0.7/tdg",
            "postgres://tdg@localhost,db/tdg",
            "postgres:///tdg?hostaddr=10.0.0.7",
            "postgres://tdg@localhost/tdg?hostaddr=10.0.0.7",
            // A tunnel to another machine's server.
            "postgres://tdg@db/tdg?hostaddr=127.0.0.1",
        ] {
            assert_eq!(mode(url), SslMode::Prefer, "{url}");
        }
        assert_eq!(mode("postgres://db/tdg?sslmode=disable"), SslMode::Disable);
    }

    #[test]
    fn who_names_an_authority_wants_it_checked() {
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
            assert!(weak.ends_with("write `sslmode=verify-full`, or leave `sslrootcert` out"));
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
    fn what_is_not_known_is_refused_with_the_fix() {
        for (options, said) in [
            (
                "sslmode=allow",
                "there is no `sslmode=allow`: write `disable`, `prefer`, `require`, `verify-ca` or `verify-full`",
            ),
            (
                "sslmode=require&sslmode=disable",
                "`sslmode` is said twice: leave one out",
            ),
            (
                "sslnegotiation=direct",
                "`sslnegotiation=direct` is for connections that are encrypted: write `sslmode=verify-full` as well, or leave it out",
            ),
            (
                "sslrootcert=",
                "`sslrootcert` takes the path of a PEM file, or `system`",
            ),
            (
                "sslmod=require",
                "there is no option `sslmod` for PostgreSQL's address: did you mean `sslmode`?",
            ),
            (
                "sslmode",
                "the option `sslmode` of PostgreSQL's address has no value: write `sslmode=…`",
            ),
            (
                "port=many",
                "the address of PostgreSQL can't be used: invalid connection string: invalid value for option `port`",
            ),
        ] {
            assert_eq!(
                refusal(&format!("postgres://tdg:secret@db/tdg?{options}")),
                said
            );
        }
        let unknown = refusal("postgres://tdg:secret@db/tdg?colour=red");
        assert!(unknown.contains("`colour`") && unknown.contains("target_session_attrs, "));
        let socket = refusal("postgres://tdg@%2Frun%2Fpg/tdg?sslmode=require");
        assert!(socket.starts_with("PostgreSQL doesn't encrypt a socket"));
    }

    #[test]
    fn no_part_of_a_password_is_shown() {
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
