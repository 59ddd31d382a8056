//! The origin of a URL: scheme, host and port.

use std::net::Ipv6Addr;

/// Returns the scheme, host and port of a URL in normalized form: `https://tdg.example.org`,
/// `http://[::1]:8080`. `None` if the host is ambiguous, such as after a user name.
///
/// ```
/// use tdg_engine::config::origin;
/// let one = origin("HTTPS://TDG.example.org:443/team/");
/// assert_eq!(one.as_deref(), Some("https://tdg.example.org"));
/// assert_eq!(origin("https://tdg.example.org@elsewhere.org"), None);
/// ```
#[must_use]
pub fn origin(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let default_port = match scheme.as_str() {
        "https" => 443,
        "http" => 80,
        _ => return None,
    };
    let authority = rest.split(['/', '?', '#']).next()?;
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, number(port)?),
        _ => (authority, default_port),
    };
    let host = normal(host)?;
    Some(match port == default_port {
        true => format!("{scheme}://{host}"),
        false => format!("{scheme}://{host}:{port}"),
    })
}

fn number(port: &str) -> Option<u16> {
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    port.parse().ok().filter(|_| is_number)
}

fn normal(host: &str) -> Option<String> {
    if let Some(address) = host.strip_prefix('[') {
        let address: Ipv6Addr = address.strip_suffix(']')?.parse().ok()?;
        return Some(format!("[{address}]"));
    }
    let is_of_host = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte);
    (!host.is_empty() && host.bytes().all(is_of_host)).then(|| host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_has_one_origin() {
        for (url, expected) in [
            ("https://a.example", "https://a.example"),
            ("HTTPS://A.Example:443/x?y#z", "https://a.example"),
            ("http://a.example:80", "http://a.example"),
            ("https://a.example:80", "https://a.example:80"),
            ("http://[0:0::1]:8080/", "http://[::1]:8080"),
            ("http://[::1]", "http://[::1]"),
        ] {
            assert_eq!(origin(url).as_deref(), Some(expected), "{url}");
        }
    }

    #[test]
    fn what_could_be_read_in_two_ways_has_none() {
        for url in [
            "",
            "a.example",
            "https://",
            "https://:443",
            "https://me@a.example",
            "https://a.example\\@b.example",
            "https://a.example:",
            "https://a.example:+443",
            "https://a.example:443:80",
            "https://[::1",
            "https://::1",
            "https://ä.example",
            "https://a.example b.example",
            "ftp://a.example",
        ] {
            assert_eq!(origin(url), None, "{url}");
        }
    }
}
