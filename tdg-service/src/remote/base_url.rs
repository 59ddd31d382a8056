//! Where a server is, and whether a key may be sent there.

use std::fmt;
use std::net::IpAddr;

use ureq::http::Uri;

use super::SetupError;

/// The address of a server, without a slash at its end.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct BaseUrl(String);

impl BaseUrl {
    /// Takes https everywhere, and http where nobody can listen: on this machine.
    pub(super) fn parse(text: &str) -> Result<Self, SetupError> {
        let wrong = |what: &str| {
            Err(SetupError::new(format!(
                "the URL of the server {what}; write it as https://tdg.example.org"
            )))
        };
        let Ok(uri) = text.parse::<Uri>() else {
            return wrong("is none");
        };
        let (Some(scheme), Some(authority), Some(host)) =
            (uri.scheme_str(), uri.authority(), uri.host())
        else {
            return wrong("must begin with https://");
        };
        // A part of it may be a password, so it is not shown.
        if authority.as_str().contains('@') {
            return wrong("must not hold a name or a password: the key is in TDG_API_KEY");
        }
        if uri.query().is_some() || text.contains('#') {
            return wrong("must end with its path, without `?` and `#`");
        }
        match scheme {
            "https" => {}
            "http" if is_loopback(host) => {}
            "http" => {
                return Err(SetupError::new(format!(
                    "{text} would send the key unencrypted; use https, or a server on this machine"
                )));
            }
            _ => return wrong("must begin with https://"),
        }
        Ok(Self(text.trim_end_matches('/').to_owned()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// A proxy may be elsewhere, so what is meant for this machine must not pass through one.
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
    fn keys_are_sent_encrypted_or_not_over_a_network() {
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
        insta::assert_snapshot!(error, @"the URL of the server must not hold a name or a password: the key is in TDG_API_KEY; write it as https://tdg.example.org");
        insta::assert_snapshot!(BaseUrl::parse("http://tdg.example.org").unwrap_err(), @"http://tdg.example.org would send the key unencrypted; use https, or a server on this machine");
    }
}
