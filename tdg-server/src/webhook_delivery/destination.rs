//! The destinations of messages: public addresses over TLS, and networks that are allowed.

use std::net::IpAddr;

use ipnet::IpNet;
use ureq::Error;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

use crate::http::Network;

/// Non-public networks that webhooks may reach.
#[derive(Clone, Debug, Default)]
pub(crate) struct WebhookNetworks(Vec<Network>);

/// The addresses that aren't public: this machine's, private, shared, reserved, for documentation,
/// or mapped to an IPv4 address.
const NOT_PUBLIC: [&str; 24] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/3",
    "::/96",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "fc00::/7",
    "fe80::/9",
    "ff00::/8",
];

impl WebhookNetworks {
    pub(crate) fn new(networks: Vec<Network>) -> Self {
        WebhookNetworks(networks)
    }

    /// Returns the reason that nothing is sent to an address, or `None` if it is permitted.
    fn refusal(&self, address: IpAddr, is_encrypted: bool) -> Option<String> {
        let address = address.to_canonical();
        if self.0.iter().any(|network| network.contains(address)) {
            return None;
        }
        if !is_public(address) {
            return Some(format!(
                "{address} is not a public address, and not allowed by `--webhook-network`"
            ));
        }
        let reason =
            format!("{address} is public, and messages would go there without TLS: use https://");
        (!is_encrypted).then_some(reason)
    }
}

fn is_public(address: IpAddr) -> bool {
    let networks = NOT_PUBLIC.iter().map(|text| text.parse::<IpNet>());
    let mut others = networks.map(|network| network.map(|it| it.contains(&address)));
    others.all(|is_in| is_in == Ok(false))
}

/// Resolves names to permitted addresses. Connections go to the resolved address, so a name can't
/// lead elsewhere after the check.
#[derive(Debug)]
pub(super) struct PermittedResolver {
    pub(super) networks: WebhookNetworks,
}

impl Resolver for PermittedResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        let resolved = DefaultResolver::default().resolve(uri, config, timeout)?;
        let is_encrypted = uri.scheme_str() == Some("https");
        let mut refusals = resolved
            .iter()
            .filter_map(|it| self.networks.refusal(it.ip(), is_encrypted));
        match refusals.next() {
            Some(refusal) => Err(Error::Other(refusal.into())),
            None => Ok(resolved),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(networks: &[&str], address: &str, is_encrypted: bool) -> String {
        let networks = networks.iter().map(|it| it.parse().unwrap()).collect();
        let networks = WebhookNetworks::new(networks);
        let refusal = networks.refusal(address.parse().unwrap(), is_encrypted);
        refusal.unwrap_or("none".to_owned())
    }

    #[test]
    fn only_public_addresses_get_messages_unless_others_are_allowed() {
        assert!(NOT_PUBLIC.iter().all(|text| text.parse::<IpNet>().is_ok()));
        for address in [
            "127.0.0.1",
            "0.0.0.0",
            "10.1.2.3",
            "172.31.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.100.0.1",
            "255.255.255.255",
            "224.0.0.1",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "::10.0.0.1",
            "64:ff9b::a00:1",
            "2002:a00:1::",
            "fd00::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            let refused = refusal(&[], address, true);
            assert!(
                refused.contains("is not a public address"),
                "{address}: {refused}"
            );
            assert_eq!(refusal(&["0.0.0.0/0", "::/0"], address, false), "none");
        }
        for address in ["1.1.1.1", "8.8.8.8", "2606:4700::1111"] {
            assert_eq!(refusal(&[], address, true), "none", "{address}");
        }
        insta::assert_snapshot!(refusal(&["10.0.0.0/8"], "192.168.1.1", true), @"192.168.1.1 is not a public address, and not allowed by `--webhook-network`");
        insta::assert_snapshot!(refusal(&["10.0.0.0/8"], "1.1.1.1", false), @"1.1.1.1 is public, and messages would go there without TLS: use https://");
        assert_eq!(refusal(&["10.0.0.0/8"], "::ffff:10.1.2.3", false), "none");
    }
}
