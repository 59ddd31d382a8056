//! Addresses that send invalid keys, or invalid codes of devices.
//!
//! Keys are looked up from any address, because a client with a valid key may share one with an
//! attacker. A key has 256 random bits, so it can't be guessed at any rate. The cost of attempts is
//! bounded: keys from all such addresses are looked up one at a time, in order, so that a flood
//! takes no more of the database than a single sequential client.

use std::net::{IpAddr, Ipv6Addr};

use axum::http::StatusCode;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::rate::Limiter;
use crate::http::problem::Problem;

/// The number of invalid keys that an address may send per second, and in a burst.
const RATE: u64 = 10;

/// The addresses that have sent invalid keys.
pub(crate) struct BadKeys {
    /// The name of such a key in messages.
    noun: &'static str,
    addresses: Limiter<IpAddr>,
    /// Held while a key from an address over its rate is looked up.
    looking_up: Semaphore,
}

impl BadKeys {
    pub(crate) fn new(noun: &'static str) -> Self {
        BadKeys {
            noun,
            addresses: Limiter::new(),
            looking_up: Semaphore::new(1),
        }
    }

    /// Waits for the turn of a key from an address over its rate.
    pub(crate) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        // The semaphore is never closed.
        self.looking_up.acquire().await.ok()
    }

    /// Counts an invalid key.
    pub(crate) fn count(&self, address: IpAddr) {
        // Requests that were admitted together may exceed the rate.
        let _ = self.addresses.take(network(address), RATE);
    }

    /// # Errors
    ///
    /// 429 if the address has sent too many invalid keys.
    pub(crate) fn check(&self, address: IpAddr) -> Result<(), Problem> {
        let checked = self.addresses.check(&network(address), RATE);
        checked.map_err(|wait| {
            let noun = self.noun;
            let detail =
                format!("too many invalid {noun}s came from this address; check the {noun}");
            Problem::new(StatusCode::TOO_MANY_REQUESTS, detail).retry_after(wait)
        })
    }
}

/// Returns the network that a client may own: an IPv4 address, or 2^64 IPv6 addresses.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let bits = address.to_bits() >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from_bits(bits))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        let keys = BadKeys::new("API key");
        let address = |text: &str| -> IpAddr { text.parse().unwrap() };
        for n in 0..RATE {
            keys.check(address(&format!("2001:db8::{n}"))).unwrap();
            keys.count(address(&format!("2001:db8::{n}")));
        }
        assert!(keys.check(address("2001:db8::ffff:1")).is_err());
        assert!(keys.check(address("2001:db8:0:1::1")).is_ok());
        assert!(keys.check(address("192.0.2.1")).is_ok());
        assert!(keys.check(address("192.0.2.2")).is_ok());
    }
}
