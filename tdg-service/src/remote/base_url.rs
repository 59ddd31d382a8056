//! The URL of a server, checked for a secure connection.

use std::fmt;
use std::net::IpAddr;

use ureq::http::Uri;

use super::SetupError;
use crate::Message;

/// The URL of a server, without a trailing slash.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct BaseUrl(String);

impl BaseUrl {
    /// Accepts https for any host, and http only for this machine, where no network is involved.
    pub(super) fn parse(text: &str) -> Result<Self, SetupError> {
        let wrong = |what: &str| {
            let message = format!("the URL of the server {what}; expected https://tdg.example.org");
            Err(SetupError(message.into()))
        };
        let uri = text.parse::<Uri>().map_err(|error| {
            let message = Message::from("invalid server URL; expected https://tdg.example.org");
            SetupError(message.caused_by(error))
        })?;
        let (Some(scheme), Some(authority), Some(host)) =
            (uri.scheme_str(), uri.authority(), uri.host())
        else {
            return wrong("must begin with https://");
        };
        // It may contain a password, so the message doesn't repeat it.
        if authority.as_str().contains('@') {
            return wrong("must not contain a user or password: the key is in TDG_API_KEY");
        }
        if uri.query().is_some() || text.contains('#') {
            return wrong("must end with its path, without `?` and `#`");
        }
        match scheme {
            "https" => {}
            "http" if is_loopback(host) => {}
            "http" => {
                let message = format!(
                    "{text} would send the key unencrypted; use https, or a server on this machine"
                );
                return Err(SetupError(message.into()));
            }
            _ => return wrong("must begin with https://"),
        }
        Ok(Self(text.trim_end_matches('/').to_owned()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true for https. Otherwise the server is on this machine, and must not be proxied.
    pub(super) fn is_encrypted(&self) -> bool {
        self.0.starts_with("https:")
    }
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    match address.parse::<IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => host.eq_ignore_ascii_case("localhost"),
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_sent_encrypted_or_within_this_machine() {
        for url in [
            "https://tdg.example.org",
            "https://10.0.0.7:8443/tdg/",
            "http://localhost:8080",
            "http://LOCALHOST",
            "http://127.0.0.1:1",
            "http://127.8.9.10",
            "http://[::1]:8080",
        ] {
            let parsed = BaseUrl::parse(url).unwrap();
            assert_eq!(parsed.as_str(), url.trim_end_matches('/'));
        }
        for url in [
            "http://tdg.example.org",
            "http://10.0.0.7",
            "http://0.0.0.0",
            "http://localhost.example.org",
            "http://127.0.0.1.example.org",
            "http://[::ffff:10.0.0.7]",
            "ftp://localhost",
            "localhost:8080",
            "tdg.example.org",
            "",
            "https://",
            "https://tdg.example.org/?a=b",
            "https://tdg.example.org/#a",
            "not a url",
        ] {
            assert!(BaseUrl::parse(url).is_err(), "{url}");
        }
    }

    #[test]
    fn a_password_in_the_url_is_refused_and_not_repeated() {
        let error = BaseUrl::parse("https://me:secret@tdg.example.org").unwrap_err();
        assert!(!error.to_string().contains("secret"));
        insta::assert_snapshot!(error, @"the URL of the server must not contain a user or password: the key is in TDG_API_KEY; expected https://tdg.example.org");
        insta::assert_snapshot!(BaseUrl::parse("http://tdg.example.org").unwrap_err(), @"http://tdg.example.org would send the key unencrypted; use https, or a server on this machine");
    }
}
