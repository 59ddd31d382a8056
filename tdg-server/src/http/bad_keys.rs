//! Addresses that send keys which are refused.
//!
//! A key is looked up wherever it comes from: behind the same address may be somebody with a valid
//! one. A key has 256 random bits, so it can't be guessed at any rate. What is bounded is the cost
//! of those who try: the keys from all such addresses are looked up one at a time, in the order in
//! which they came, so that a flood takes as much of the database as one client that asks one thing
//! after the other.

use std::net::{IpAddr, Ipv6Addr};

use axum::http::StatusCode;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::problem::Problem;
use super::rate::Limiter;

/// The keys that an address may send in vain in a second, and at once.
const RATE: u64 = 10;

/// The addresses that have sent bad keys.
pub(super) struct BadKeys {
    addresses: Limiter<IpAddr>,
    /// Held while a key from one that has sent too many is looked up.
    looking_up: Semaphore,
}

impl BadKeys {
    pub(super) fn new() -> Self {
        BadKeys {
            addresses: Limiter::new(),
            looking_up: Semaphore::new(1),
        }
    }

    /// Waits until it is the turn of a key from an address that has sent too many.
    pub(super) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        // It is never closed.
        self.looking_up.acquire().await.ok()
    }

    /// Counts a key that was refused.
    pub(super) fn count(&self, address: IpAddr) {
        // More than the rate come from requests that were let in together.
        let _ = self.addresses.take(network(address), RATE);
    }

    /// # Errors
    ///
    /// 429, if too many keys from there were refused.
    pub(super) fn check(&self, address: IpAddr) -> Result<(), Problem> {
        let checked = self.addresses.check(&network(address), RATE);
        checked.map_err(|wait| {
            let detail = "too many invalid API keys came from this address; check the key";
            Problem::new(StatusCode::TOO_MANY_REQUESTS, detail).retry_after(wait)
        })
    }
}

/// What one client can have: an IPv4 address, or the 2^64 addresses of an IPv6 network.
pub(super) fn network(address: IpAddr) -> IpAddr {
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
        let keys = BadKeys::new();
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
