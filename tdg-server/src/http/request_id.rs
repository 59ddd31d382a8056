//! Identifiers of requests, in responses and in the log.

use std::sync::atomic::{AtomicU64, Ordering};

use tdg_service::Uuid;

/// Numbers the requests of a server. The prefix is random, so that other servers and later runs
/// have different identifiers. Random bits for each request would take a system call.
pub(super) struct RequestIds {
    server: u64,
    next: AtomicU64,
}

impl RequestIds {
    pub(super) fn new() -> Self {
        let (server, first) = Uuid::new_v4().as_u64_pair();
        RequestIds {
            server,
            next: AtomicU64::new(first),
        }
    }

    pub(super) fn next(&self) -> Uuid {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let bytes = (u128::from(self.server) << 64 | u128::from(number)).to_be_bytes();
        uuid::Builder::from_custom_bytes(bytes).into_uuid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_requests_have_different_identifiers() {
        let (one, other) = (RequestIds::new(), RequestIds::new());
        let mut ids: Vec<Uuid> = (0..100).flat_map(|_| [one.next(), other.next()]).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 200);
    }
}
