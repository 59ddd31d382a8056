//! Proxies, and their header fields: the client's address, the request's identifier, and the user's
//! name.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use axum::http::{HeaderMap, HeaderName, header};
use ipnet::IpNet;
use tdg_definition::control::is_control;
use tdg_definition::limits::NAME_BYTES;

/// A network, or a single address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Network(IpNet);

impl Network {
    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address)
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let network = text.parse::<IpNet>().ok();
        let network = network.or_else(|| Some(IpNet::from(text.parse::<IpAddr>().ok()?)));
        let network = network.ok_or_else(|| {
            format!("`{text}` is not an address or a network such as `10.0.0.0/8`")
        })?;
        Ok(Network(network))
    }
}

impl<'de> serde::Deserialize<'de> for Network {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The trusted proxies. The same fields from other peers are ignored.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrustedProxies {
    networks: Vec<Network>,
    /// The header field with the user's name.
    person: Option<HeaderName>,
}

impl TrustedProxies {
    pub(crate) fn new(networks: Vec<Network>, person: Option<HeaderName>) -> Self {
        TrustedProxies { networks, person }
    }

    pub(super) fn trust(&self, address: IpAddr) -> bool {
        let mut networks = self.networks.iter();
        networks.any(|network| network.contains(address))
    }

    /// Returns the user's name, if a trusted proxy sends it. Of an e-mail address, it is the part
    /// before the @, so that no addresses are recorded.
    pub(super) fn person(&self, peer: IpAddr, headers: &HeaderMap) -> Option<String> {
        let header = self.person.as_ref()?;
        let mut values = headers.get_all(header).iter();
        // A second value would come from the client.
        let told = values.next().filter(|_| values.next().is_none())?;
        let text = std::str::from_utf8(told.as_bytes()).ok()?.trim();
        let name = text.split_once('@').map_or(text, |(name, _)| name);
        let is_name = (1..=NAME_BYTES).contains(&name.len()) && !name.contains(is_control);
        (is_name && self.trust(peer.to_canonical())).then(|| name.to_owned())
    }

    /// Returns the client's address: the last one that isn't a trusted proxy's. The client itself
    /// may have sent any before it.
    pub(super) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer.to_canonical();
        if !self.trust(client) {
            return client;
        }
        for address in hops(headers).into_iter().rev() {
            let Some(address) = address else { break };
            client = address.to_canonical();
            if !self.trust(client) {
                break;
            }
        }
        client
    }
}

/// Returns the addresses that a request came through, the client's first, with `None` for values
/// that aren't addresses, which `Forwarded` allows. A proxy that writes `Forwarded` has to remove
/// the client's `X-Forwarded-For`.
fn hops(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let elements = |name: &str| -> Vec<String> {
        let values = headers.get_all(name).iter();
        let texts = values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let elements =
            texts.flat_map(|text| text.split(',').map(str::to_owned).collect::<Vec<_>>());
        elements.collect()
    };
    if headers.contains_key("x-forwarded-for") {
        let elements = elements("x-forwarded-for");
        return elements.iter().map(|element| address(element)).collect();
    }
    let elements = elements(header::FORWARDED.as_str());
    elements
        .iter()
        .map(|element| forwarded_for(element))
        .collect()
}

/// Returns the address of `for` in `for="[2001:db8::17]:4711";proto=https`.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    let (_, node) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    address(node.trim().trim_matches('"'))
}

/// Parses an address, with or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let alone = text
        .parse()
        .or_else(|_| text.trim_matches(['[', ']']).parse());
    let with_port = || text.parse().map(|address: SocketAddr| address.ip());
    alone.or_else(|_| with_port()).ok()
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    /// Returns the client of a request from a peer when 10.0.0.0/8 and ::1 are trusted.
    fn client(peer: &str, fields: &[(&'static str, &'static str)]) -> String {
        let trusted = ["10.0.0.0/8", "::1"].map(|network| network.parse().unwrap());
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            let (name, value) = (
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
            headers.append(name, value);
        }
        let proxies = TrustedProxies::new(trusted.to_vec(), None);
        proxies.client(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        let field = [("x-forwarded-for", "192.0.2.1")];
        assert_eq!(client("10.1.2.3", &field), "192.0.2.1");
        assert_eq!(client("::ffff:10.1.2.3", &field), "192.0.2.1");
        assert_eq!(client("::1", &field), "192.0.2.1");
        assert_eq!(client("192.0.2.9", &field), "192.0.2.9");
        assert_eq!(client("10.1.2.3", &[]), "10.1.2.3");
    }

    #[test]
    fn what_a_client_claims_is_not_believed() {
        let claimed = [("x-forwarded-for", "1.1.1.1, 10.9.9.9, 192.0.2.1, 10.0.0.2")];
        assert_eq!(client("10.0.0.1", &claimed), "192.0.2.1");
        let in_two_fields = [
            ("x-forwarded-for", "1.1.1.1"),
            ("x-forwarded-for", "192.0.2.1"),
        ];
        assert_eq!(client("10.0.0.1", &in_two_fields), "192.0.2.1");
        let both = [
            ("x-forwarded-for", "192.0.2.1"),
            ("forwarded", "for=1.1.1.1"),
        ];
        assert_eq!(client("10.0.0.1", &both), "192.0.2.1");
        let nonsense = [("x-forwarded-for", "1.1.1.1, nonsense, 10.0.0.2")];
        assert_eq!(client("10.0.0.1", &nonsense), "10.0.0.2");
    }

    #[test]
    fn addresses_are_read_in_every_notation() {
        for (value, expected) in [
            ("for=192.0.2.1", "192.0.2.1"),
            ("for=1.1.1.1, For=\"192.0.2.1:80\";proto=http", "192.0.2.1"),
            ("proto=https;for=\"[2001:db8::17]:4711\"", "2001:db8::17"),
            ("for=\"[2001:db8::17]\"", "2001:db8::17"),
            ("for=unknown", "10.0.0.1"),
            ("for=_hidden", "10.0.0.1"),
            ("by=192.0.2.1", "10.0.0.1"),
            ("", "10.0.0.1"),
        ] {
            assert_eq!(
                client("10.0.0.1", &[("forwarded", value)]),
                expected,
                "{value}"
            );
        }
        let field = [("x-forwarded-for", "[2001:db8::17]:80")];
        assert_eq!(client("10.0.0.1", &field), "2001:db8::17");
    }

    #[test]
    fn only_a_trusted_proxy_names_a_person() {
        let network = "10.0.0.0/8".parse().unwrap();
        let header = HeaderName::from_static("x-forwarded-user");
        let named = |peer: &str, header: Option<&HeaderName>, value: &[u8]| {
            let mut headers = HeaderMap::new();
            let value = HeaderValue::from_bytes(value).unwrap();
            headers.insert("x-forwarded-user", value);
            let proxies = TrustedProxies::new(vec![network], header.cloned());
            proxies.person(peer.parse().unwrap(), &headers)
        };
        let told = |value: &[u8]| named("10.0.0.1", Some(&header), value);
        assert_eq!(told(b" Ada Lovelace "), Some("Ada Lovelace".to_owned()));
        assert_eq!(told("Ren\u{e9}e".as_bytes()), Some("Ren\u{e9}e".to_owned()));
        assert_eq!(told(b"ada@example.org"), Some("ada".to_owned()));
        let turned = "\u{202e}ada".as_bytes();
        for nobody in [&b""[..], b"@", b"\xff", turned, &[b'a'; NAME_BYTES + 1]] {
            assert_eq!(told(nobody), None, "{nobody:?}");
        }
        let mut twice = HeaderMap::new();
        for name in ["ada", "grace"] {
            twice.append(&header, HeaderValue::from_static(name));
        }
        let proxies = TrustedProxies::new(vec![network], Some(header.clone()));
        assert_eq!(proxies.person("10.0.0.1".parse().unwrap(), &twice), None);
        assert_eq!(named("192.0.2.9", Some(&header), b"ada"), None);
        assert_eq!(named("10.0.0.1", None, b"ada"), None);
    }

    #[test]
    fn a_network_may_be_an_address() {
        for text in ["10.0.0.0/8", "10.1.2.3", "2001:db8::/32", "::1"] {
            assert!(text.parse::<Network>().is_ok(), "{text}");
        }
        for text in ["", "10.0.0.0/33", "localhost"] {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
    }
}
